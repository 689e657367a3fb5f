#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ over pairs of nodes {u, v} of x and {s, t} of z: 1 where they have the same two labels and are
/// equally many steps apart. Pairs without a way between them do not count.          Borgwardt & Kriegel 2005
struct ShortestPath {
  static constexpr std::string_view name = "shortest_path";
  static constexpr std::string_view formula =
      "Σ [labels and distance of u, v = those of s, t] over pairs of nodes";
  static constexpr std::string_view summary = "pairs of nodes with the same labels at the same distance";
  static constexpr Domain domains[] = {Domain::graph, Domain::molecule};
  static constexpr KernelSearch search[] = {{"normalize(shortest_path)"}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<ShortestPath> shortest_path;

}  // namespace mercer
