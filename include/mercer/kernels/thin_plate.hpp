#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = ‖x − z‖² log ‖x − z‖, the thin plate spline (Duchon 1977), conditionally positive semidefinite
/// of order 2: for coefficients orthogonal to 1 and to every column (Wendland 2005, theorem 8.17).
struct ThinPlate {
  static constexpr std::string_view name = "thin_plate";
  static constexpr std::string_view formula = "‖x−z‖²·log‖x−z‖";
  static constexpr std::string_view summary =
      "thin plate spline; valid where coefficients are orthogonal to 1 and to every column";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  static void params(auto&&) {}
  Properties properties() const {
    return {.conditional_order = 2, .translation_invariant = true, .radial = true, .diagonal = 0};
  }
  Symbol operator()(Symbol d2) const { return 0.5 * d2 * log(d2 + is_zero(d2)); }
};
inline constexpr Maker<ThinPlate> thin_plate;

}  // namespace mercer
