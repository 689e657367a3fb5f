// The functions of one number that kernels need and <cmath> does not have in this form.
#pragma once

namespace mercer {

/// How far from ±1 a computed cosine may be and still be ±1. A dot product over two norms is off by some
/// roundings, and the angle of what should be ±1 by their root.
template <class T>
inline constexpr T angle_rounding = T(sizeof(T) == 4 ? 5e-7 : 2e-15);

/// The angle in [0, π] of a cosine that was computed; what is within rounding of ±1, or beyond, is ±1.
double angle_of(double cosine) noexcept;

/// M(t) = 2^(1−ν)/Γ(ν) · t^ν K_ν(t) for 0 < ν ≤ 2 and t ≥ 0, the Matérn kernel of √(2ν)‖x − z‖/ℓ; M(0) = 1.
double matern_value(double nu, double t);

}  // namespace mercer
