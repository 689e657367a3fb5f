#include "kernels/special_functions.hpp"

#include <cmath>
#include <numbers>

namespace mercer {

double angle_of(double cosine) noexcept {
  if (std::abs(cosine) > 1 - angle_rounding<double>) return cosine > 0 ? 0 : std::numbers::pi;
  return std::acos(cosine);
}

double matern_value(double nu, double t) {
  // K_ν(t) ≈ √(π/2t)·e⁻ᵗ is 0 in float64 from here on.
  constexpr double far = 745;
  if (std::isnan(t)) return t;
  if (t >= far) return 0;
  // 1 − M(t) is of order t² (times log t) where ν ≥ 1, and K_ν(t) overflows near 0; of order t^(2ν) where ν <
  // 1, and does not.
  if (t == 0 || (nu >= 1 && t < 1e-8)) return 1;
  const double value = std::exp2(1 - nu) / std::tgamma(nu) * std::pow(t, nu) * std::cyl_bessel_k(nu, t);
  return std::fmin(value, 1);  // which rounding may exceed
}

}  // namespace mercer
