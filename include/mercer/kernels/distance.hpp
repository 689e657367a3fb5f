#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = −‖x − z‖^β, 0 < β ≤ 2: a distance as a similarity. It is positive semidefinite only for
/// coefficients that sum to 0 (Schoenberg 1938), which those of support vector machines do (Schölkopf 2000).
/// β = 2 gives what the linear kernel gives, and the kernel two-sample test with it is that of the energy
/// distance (Székely & Rizzo 2013).
struct Distance {
  static constexpr std::string_view name = "distance";
  static constexpr std::string_view formula = "−‖x−z‖^beta";
  static constexpr std::string_view summary =
      "a distance as a similarity, without a width to choose; valid where coefficients sum to 0";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  double beta = 1;
  static constexpr Interval powers{0, 2, true, "> 0 and at most 2"};
  static void params(auto&& param) { param("beta", &Distance::beta, powers, "power of the distance"); }
  Properties properties() const {
    return {.conditional_order = 1, .translation_invariant = true, .radial = true, .diagonal = 0};
  }
  Symbol operator()(Symbol d2) const {
    if (beta == 2) return -d2;
    if (beta == 1) return -sqrt(d2);
    const Symbol zero = is_zero(d2);
    return (zero - 1) * exp(beta / 2 * log(d2 + zero));
  }
};
inline constexpr Maker<Distance> distance;

}  // namespace mercer
