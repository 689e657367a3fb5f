#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_{e=1..D} β_e Σ_{i,j: |i−j| ≤ S} (1 − |i−j|/(S+1)) [the e letters of x from i on = those of z
/// from j on], β_e = 2(D − e + 1)/(D(D + 1)), D = degree, S = shift: substrings that stand at the same place,
/// or nearly so where S > 0. It is the kernel of sequences that are aligned at a site, such as a splice site.
/// Letters are any bytes, as written.                                                Rätsch & Sonnenburg 2004
struct WeightedDegree {
  static constexpr std::string_view name = "weighted_degree";
  static constexpr std::string_view formula =
      "Σ_e β_e·#(places where x and z have the same e letters), e ≤ degree, β_e = "
      "2(degree−e+1)/(degree(degree+1))";
  static constexpr std::string_view summary = "shared substrings at the same position";
  static constexpr Domain domains[] = {Domain::sequence};
  // Sequences of one length are aligned: what stands where matters, more than which words there are.
  static constexpr KernelSearch search[] = {
      {.kernel = "normalize(weighted_degree(degree=5))", .when = equally_long, .rank = -1},
      {.kernel = "normalize(weighted_degree(degree=8))", .when = equally_long, .rank = -1},
      {.kernel = "normalize(weighted_degree(degree=3))", .when = equally_long, .rank = -1}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .search = search};
  int degree = 10;
  int shift = 0;
  static void params(auto&& parameter) {
    parameter("degree", &WeightedDegree::degree, whole, "length of the longest substring");
    parameter("shift", &WeightedDegree::shift,
              Interval{0, 1000, false, "a whole number from 0 to 1000", false},
              "maximum distance between the positions of two substrings");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<WeightedDegree> weighted_degree;

}  // namespace mercer
