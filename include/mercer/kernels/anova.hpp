#pragma once
#include "mercer/leaf.hpp"

namespace mercer {

/// k(x, z) = (Σₖ exp(−σ (xₖ − zₖ)²))^degree: one-dimensional Gaussians, added.       Hofmann et al. 2008
struct Anova {
  static constexpr std::string_view name = "anova";
  static constexpr std::string_view formula = "(Σₖ exp(−sigma·(xₖ−zₖ)²))^degree";
  static constexpr std::string_view summary = "additive effects of single columns; degree adds interactions";
  static constexpr LeafTraits traits{.statistic = Statistic::coordinate_sum};
  double sigma = 1;
  int degree = 1;
  static void params(auto&& param) {
    param("sigma", &Anova::sigma, positive, "inverse squared width");
    param("degree", &Anova::degree, whole, "order of interaction");
  }
  Properties properties() const { return {.psd = true, .translation_invariant = true}; }
  Symbol coordinate(Symbol x, Symbol z) const { return exp(-sigma * ((x - z) * (x - z))); }
  Symbol operator()(Symbol sum) const { return pow(sum, degree); }
};
inline constexpr Maker<Anova> anova;

}  // namespace mercer
