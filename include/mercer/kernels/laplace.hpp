#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−λ‖x − z‖₂): radial, but not smooth at 0.
struct Laplace {
  static constexpr std::string_view name = "laplace";
  static constexpr std::string_view formula = "exp(−lambda·‖x−z‖₂)";
  static constexpr std::string_view summary = "radial with a kink at 0; heavier tails than the Gaussian";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance, .spectral = true};
  std::optional<Scale> lambda = {};
  static void params(auto&& param) {
    param("lambda", &Laplace::lambda, positive, "inverse width", Role::inverse_length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  Spectral spectral() const {  // multivariate Cauchy
    return {.scale = lambda->value, .variance = Spectral::Variance::inverse_gamma, .shape = 0.5};
  }
  Symbol operator()(Symbol d2) const { return exp(-lambda->value * sqrt(d2)); }
};
inline constexpr Maker<Laplace> laplace;

}  // namespace mercer
