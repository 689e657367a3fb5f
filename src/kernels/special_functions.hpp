// The functions of one number that kernels need and <cmath> does not have in this form.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace mercer {

/// How far from ±1 a computed cosine may be and still be ±1. A dot product over two norms is off by some
/// roundings, and the angle of what should be ±1 by their root.
template <class T>
inline constexpr T angle_rounding = T(sizeof(T) == 4 ? 5e-7 : 2e-15);

/// The angle in [0, π] of a cosine that was computed; what is within rounding of ±1, or beyond, is ±1.
double angle_of(double cosine) noexcept;

/// M(t) = 2^(1−ν)/Γ(ν) · t^ν K_ν(t) for 0 < ν ≤ 2 and t ≥ 0, the Matérn kernel of √(2ν)‖x − z‖/ℓ; M(0) = 1.
double matern_value(double nu, double t);

/// The same for one ν and many t, several times as fast: Chebyshev polynomials of eᵗM(t) between powers
/// of 2, where it is smooth up to 0, are as exact as the numbers that they are made from.
class MaternTable {
 public:
  explicit MaternTable(double nu);
  double operator()(double t) const noexcept;
  /// One that may have been made before.
  static std::shared_ptr<const MaternTable> of(double nu);

 private:
  // Intervals [2ᵉ, 2ᵉ⁺¹) from e = lowest to highest − 1; outside values are computed one by one, which are 0
  // or 1 nearly always. The nearest singularity, 0, is 3 times as far from the middle of an interval as its
  // ends: the terms fall by factors of 3 + √8.
  static constexpr int lowest = -40, highest = 9;
  static constexpr std::size_t terms = 24;
  double nu_;
  std::vector<double> coefficients_;  // intervals × terms
};

}  // namespace mercer
