#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = (1 + ‖x − z‖² / (2αℓ²))^−α: Gaussians of many widths, mixed.   Rasmussen & Williams 2006, §4.2.1
struct RationalQuadratic {
  static constexpr std::string_view name = "rational_quadratic";
  static constexpr std::string_view formula = "(1 + ‖x−z‖² / (2·alpha·length²))^−alpha";
  static constexpr std::string_view summary = "a mixture of Gaussians of all widths";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance, .spectral = true};
  double alpha = 1;
  std::optional<Scale> length = {};
  static void params(auto&& param) {
    param("alpha", &RationalQuadratic::alpha, positive, "small: a mixture of many widths; ∞: the Gaussian");
    param("length", &RationalQuadratic::length, positive, "length scale", Role::length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  Spectral spectral() const {  // the Gaussians' inverse squared widths follow a gamma distribution
    return {.scale = 1 / length->value, .variance = Spectral::Variance::gamma, .shape = alpha};
  }
  Symbol operator()(Symbol d2) const {
    return pow(1 + d2 / (2 * alpha * length->value * length->value), -alpha);
  }
};
inline constexpr Maker<RationalQuadratic> rational_quadratic;

}  // namespace mercer
