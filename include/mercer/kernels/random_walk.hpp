#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σₗ decayˡ · (how many pairs of walks of l steps in x and z pass the same labels of nodes and
/// edges), l = 0 … steps; steps 0: all lengths, 1ᵀ(I − decay·W)⁻¹1 with W the adjacency of the product graph.
///                           Gärtner, Flach & Wrobel 2003; Vishwanathan, Schraudolph, Kondor & Borgwardt 2010
struct RandomWalk {
  static constexpr std::string_view name = "random_walk";
  static constexpr std::string_view formula = "Σₗ decayˡ·#(pairs of walks of l steps with the same labels)";
  static constexpr std::string_view summary = "shared random walks; slow, for small graphs";
  static constexpr Domain domains[] = {Domain::graph, Domain::molecule};
  static constexpr LeafTraits traits{.statistic = Statistic::pairs, .domains = domains};
  double decay = 0.05;
  int steps = 0;
  static void params(auto&& parameter) {
    parameter("decay", &RandomWalk::decay, positive,
              "weight of a step; with all lengths it must be small enough for the sum to converge");
    parameter("steps", &RandomWalk::steps, Interval{0, 1000, false, "a whole number from 0 to 1000", false},
              "the longest walk; 0: all lengths");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol value) const { return value; }
  void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const;
};
inline constexpr Maker<RandomWalk> random_walk;

}  // namespace mercer
