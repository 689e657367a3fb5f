#pragma once
#include <string>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σₜ base(xₜ, zₜ), t = 0 … iterations, where x₀ is the graph with its labels and xₜ₊₁ the one in
/// which the label of each node is made of its label and those of its neighbours and edges in xₜ, without
/// order. base: subtree counts pairs of nodes with equal labels, edge pairs of edges with equal ends,
/// shortest_path is the kernel of that name.
///                                           Shervashidze, Schweitzer, van Leeuwen, Mehlhorn & Borgwardt 2011
struct WeisfeilerLehman {
  static constexpr std::string_view name = "wl";
  static constexpr std::string_view formula =
      "Σₜ base(xₜ, zₜ), labels refined by those of the neighbours t times";
  static constexpr std::string_view summary =
      "Weisfeiler–Lehman: shared node neighbourhoods; the usual choice for graphs";
  static constexpr Domain domains[] = {Domain::graph, Domain::molecule};
  static constexpr KernelSearch search[] = {
      {"normalize(wl(iterations=3))"}, {"normalize(wl(iterations=1))"}, {"normalize(wl(iterations=5))"}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .search = search};
  int iterations = 5;
  std::string base = "subtree";
  static void params(auto&& parameter) {
    parameter("iterations", &WeisfeilerLehman::iterations,
              Interval{0, 100, false, "a whole number from 0 to 100", false},
              "number of refinements: the radius of the neighbourhoods");
    parameter("base", &WeisfeilerLehman::base, {"subtree", "shortest_path", "edge"},
              "what is compared after each refinement");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<WeisfeilerLehman> wl;

}  // namespace mercer
