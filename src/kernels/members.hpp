// What the sets of a column are made of: the points that set(k), general_set(k, k̄) and mmd(k) compare by k.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/node.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {

/// Vectors of a bag, symbols of a set, words of a text (one object each, as often as they occur), nodes of a
/// graph by their attributes. `kernel`: the name for messages; it must outlive the map. Error{usage} where no
/// column, or more than one, has members.
MemberMap members_of(std::string_view kernel);

/// The distinct symbols of a set or words of a text: an object in column "symbol" and how often it occurs, or
/// its share of the set, in column "count".
MemberMap counted_symbols(std::string_view kernel, SetCounts counts);

/// Where the members of each row begin, without the members.
using MemberStarts = std::function<std::vector<std::size_t>(const Points&)>;
MemberStarts starts_of(const MemberMap& members);

/// 1/|A| of every row, 0 of an empty set. Of the same `members`.
PointFunction inverse_size(const MemberMap& members, MemberStarts starts);

/// Σₐ Σ_b k(a, b) over the members of two sets, normalised, and what is known of it.
Symbol normalized_sum(Tracer& tracer, const MemberMap& members, const MemberStarts& starts, const Kernel& k,
                      SetNormalize normalize);
Properties properties_of_sum(const Properties& of_members, SetNormalize normalize);
std::string_view name_of(SetNormalize normalize);
/// Error{usage} where the argument of `normalize` is no such word.
SetNormalize set_normalize_named(const Argument& argument);

/// What holds members that k compares: sets of words where k compares texts, else sets of vectors and graphs.
/// (Sets of words can be compared by a kernel of numbers too: each is a row with a 1 in a column of its own.)
std::vector<Domain> member_domains(const Kernel& k);

/// Throws Error{usage} where k cannot compare members, since it depends on all points that there are (center,
/// bow by rarity) or on their place among them (precomputed).
void check_for_members(const Kernel& k, std::string_view kernel);

}  // namespace mercer
