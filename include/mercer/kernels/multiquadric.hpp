#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = −√(c² + ‖x − z‖²), the multiquadric of surface fitting (Hardy 1971), conditionally positive
/// semidefinite of order 1 (Micchelli 1986): a distance without its kink at 0.
struct Multiquadric {
  static constexpr std::string_view name = "multiquadric";
  static constexpr std::string_view formula = "−√(c² + ‖x−z‖²)";
  static constexpr std::string_view summary =
      "a distance that is smooth at 0, for surfaces; valid where coefficients sum to 0";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  double c = 1;
  static void params(auto&& param) { param("c", &Multiquadric::c, positive, "radius of the rounding at 0"); }
  Properties properties() const {
    return {.conditional_order = 1, .translation_invariant = true, .radial = true, .diagonal = -c};
  }
  Symbol operator()(Symbol d2) const { return -sqrt(c * c + d2); }
};
inline constexpr Maker<Multiquadric> multiquadric;

}  // namespace mercer
