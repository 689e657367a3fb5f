#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−gamma·L(x, z)), L the least number of letters inserted, deleted or replaced that makes z of
/// x (Levenshtein 1966). Not positive semidefinite in general: L is no squared distance (Cortes, Haffner &
/// Mohri 2004). Letters are any bytes, as written.
struct Edit {
  static constexpr std::string_view name = "edit";
  static constexpr std::string_view formula = "exp(−gamma·(edits that make z of x))";
  static constexpr std::string_view summary = "edit distance; NOT positive semidefinite in general";
  static constexpr Domain domains[] = {Domain::sequence};
  static constexpr LeafTraits traits{.statistic = Statistic::pairs, .domains = domains};
  double gamma = 0.1;
  static void params(auto&& parameter) { parameter("gamma", &Edit::gamma, positive, "rate per edit"); }
  Properties properties() const { return {.psd = false, .bound = 1, .diagonal = 1}; }
  Symbol operator()(Symbol edits) const { return exp(-gamma * edits); }
  void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const;
};
inline constexpr Maker<Edit> edit;

}  // namespace mercer
