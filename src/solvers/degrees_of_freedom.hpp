// How many free numbers a ridge regression has: tr K(K + cW⁻¹)⁻¹, the trace of the matrix that takes y to f
// (Hastie & Tibshirani 1990). With S = W^½ and A = SKS + cI it is n − c·tr A⁻¹; a free constant adds what u =
// A⁻¹S1 takes: c·uᵀu/(1ᵀSu).
#pragma once

#include <optional>
#include <span>

#include "mercer/kernel_operator.hpp"

namespace mercer {

/// `s`: n positive numbers, c > 0. From the whole inverse, in float64; none beyond 1,500 rows, where that
/// would take longer than the fit.
std::optional<double> degrees_of_freedom(const Kernel& kernel, const Points& points,
                                         std::span<const double> s, double c, bool bias, int threads);

}  // namespace mercer
