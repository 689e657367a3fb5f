// What the sets of a column are made of: the points that set(k), general_set(k, k̄) and mmd(k) compare by k.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/node.hpp"

namespace mercer {

/// Vectors of a bag, symbols of a set, words of a text (one object each, as often as they occur), nodes of a
/// graph by their attributes. `kernel`: the name for messages; it must outlive the map. Error{usage} where no
/// column, or more than one, has members.
MemberMap members_of(std::string_view kernel);

/// The distinct symbols of a set or words of a text: an object in column "symbol" and how often it occurs in
/// column "count".
MemberMap counted_symbols(std::string_view kernel);

/// 1/|A| of every row, 0 of an empty set.
PointFunction inverse_size(std::string_view kernel);

/// What holds members that k compares: sets of words where k compares texts, else sets of vectors and graphs.
std::vector<Domain> member_domains(const Kernel& k);

/// Throws Error{usage} where k cannot compare members, since it depends on all points that there are (center,
/// bow by rarity) or on their place among them (precomputed).
void check_for_members(const Kernel& k, std::string_view kernel);

}  // namespace mercer
