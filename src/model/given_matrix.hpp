// No rule can prove a kernel matrix that somebody else computed, but it can be looked at.
#pragma once

#include "mercer/kernel.hpp"
#include "mercer/points.hpp"

namespace mercer {

/// Whether the kernel is `precomputed` and the matrix that it reads from these points is symmetric and
/// positive semidefinite, up to the rounding of its numbers (to float32, where all of them are such numbers).
/// O(n³), by a Cholesky factor.
bool given_matrix_is_psd(const Kernel& kernel, const Points& points, int threads);

}  // namespace mercer
