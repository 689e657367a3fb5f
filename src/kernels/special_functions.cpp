#include "kernels/special_functions.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

namespace mercer {

double angle_of(double cosine) noexcept {
  if (std::abs(cosine) > 1 - angle_rounding<double>) return cosine > 0 ? 0 : std::numbers::pi;
  return std::acos(cosine);
}

double matern_value(double nu, double t) {
  constexpr double far = 745;  // K_ν(t) ≈ √(π/2t)·e⁻ᵗ is 0 in float64 from here on
  if (std::isnan(t)) return t;
  if (t >= far) return 0;
  // 1 − M(t) is of order t² (times log t) where ν ≥ 1, and K_ν(t) overflows near 0; of order t^(2ν) where ν <
  // 1, and does not.
  if (t == 0 || (nu >= 1 && t < 1e-8)) return 1;
  const double value = std::exp2(1 - nu) / std::tgamma(nu) * std::pow(t, nu) * std::cyl_bessel_k(nu, t);
  return std::fmin(value, 1);  // which rounding may exceed
}

MaternTable::MaternTable(double nu) : nu_(nu), coefficients_(std::size_t(highest - lowest) * terms) {
  std::vector<double> values(terms);
  for (int e = lowest; e < highest; ++e) {
    double* const c = coefficients_.data() + std::size_t(e - lowest) * terms;
    for (std::size_t j = 0; j < terms; ++j) {  // at the zeros of the next polynomial
      const double x = std::cos(std::numbers::pi * (double(j) + 0.5) / double(terms));
      const double t = std::ldexp(1 + (x + 1) / 2, e);
      values[j] = std::exp(t) * matern_value(nu, t);
    }
    for (std::size_t k = 0; k < terms; ++k) {
      for (std::size_t j = 0; j < terms; ++j)
        c[k] += values[j] * std::cos(std::numbers::pi * double(k) * (double(j) + 0.5) / double(terms));
      c[k] *= (k == 0 ? 1. : 2.) / double(terms);
    }
  }
}

double MaternTable::operator()(double t) const noexcept {
  int e = 0;
  const double m = std::frexp(t, &e);  // t = m·2ᵉ, ½ ≤ m < 1
  --e;
  if (!(e >= lowest && e < highest) || !(t > 0)) return matern_value(nu_, t);
  const double* const c = coefficients_.data() + std::size_t(e - lowest) * terms;
  const double twice_x = 8 * m - 6;
  double above = 0, value = 0;  // Clenshaw 1955
  for (std::size_t k = terms; k-- > 1;) {
    const double next = twice_x * value - above + c[k];
    above = value;
    value = next;
  }
  return std::exp(-t) * (twice_x / 2 * value - above + c[0]);
}

std::shared_ptr<const MaternTable> MaternTable::of(double nu) {
  constexpr std::size_t most = 8;
  static std::mutex mutex;
  static std::vector<std::shared_ptr<const MaternTable>> made;  // the last ones
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find_if(made, [&](const auto& table) { return table->nu_ == nu; });
  if (found != made.end()) return *found;
  if (made.size() == most) made.erase(made.begin());
  return made.emplace_back(std::make_shared<const MaternTable>(nu));
}

}  // namespace mercer
