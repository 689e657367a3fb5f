#pragma once
#include <string>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ over shapes g of `size` nodes: (how often g is an induced subgraph of x)·(the same of z).
/// Labels do not matter. There are 4 shapes of 3 nodes (2 connected) and 11 of 4 (6 connected).
///                                               Shervashidze, Vishwanathan, Petri, Mehlhorn & Borgwardt 2009
struct Graphlet {
  static constexpr std::string_view name = "graphlet";
  static constexpr std::string_view formula = "Σ_g #(g in x)·#(g in z), g of size nodes";
  static constexpr std::string_view summary =
      "counts of small shared subgraphs, ignoring labels; use it inside normalize";
  static constexpr Domain domains[] = {Domain::graph, Domain::molecule};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains};
  int size = 3;
  std::string connected = "no";
  static void params(auto&& parameter) {
    parameter("size", &Graphlet::size, Interval{3, 4, false, "3 or 4", false},
              "number of nodes of a graphlet");
    parameter("connected", &Graphlet::connected, {"no", "yes"}, "yes: count connected graphlets only");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Graphlet> graphlet;

}  // namespace mercer
