#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = (Σₖ exp(−γ (xₖ − zₖ)²))^degree: one-dimensional Gaussians, added.       Hofmann et al. 2008
struct Anova {
  static constexpr std::string_view name = "anova";
  static constexpr std::string_view formula = "(Σₖ exp(−gamma·(xₖ−zₖ)²))^degree";
  static constexpr std::string_view summary = "additive effects of single columns; degree adds interactions";
  static constexpr LeafTraits traits{.statistic = Statistic::coordinate_sum};
  double gamma = 1;
  int degree = 1;
  static void params(auto&& param) {
    param("gamma", &Anova::gamma, positive, "inverse squared width, for each column as for rbf",
          Role::inverse_square);
    param("degree", &Anova::degree, whole, "order of interaction");
  }
  /// Up to 0.7.0 gamma was called sigma, here as in R's kernlab.
  static constexpr std::string_view renamed(std::string_view parameter) {
    return parameter == "sigma" ? "gamma" : parameter;
  }
  Properties properties() const { return {.psd = true, .translation_invariant = true}; }
  Symbol coordinate(Symbol x, Symbol z) const { return exp(-gamma * ((x - z) * (x - z))); }
  Symbol operator()(Symbol sum) const { return pow(sum, degree); }
};
inline constexpr Maker<Anova> anova;

}  // namespace mercer
