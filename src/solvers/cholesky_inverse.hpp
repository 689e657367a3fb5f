// (L Lᵀ)⁻¹ in full, from a Cholesky factor: L⁻¹ a block of columns at a time, then L⁻ᵀL⁻¹ a block at a time,
// each by one thread, so that the bits do not depend on the number of threads.
#pragma once

#include <cstddef>

#include "mercer/progress.hpp"

namespace mercer {

/// L (n × n, row-major; the upper half is not read) becomes (L Lᵀ)⁻¹, both halves. `scratch` has room for n ×
/// n numbers.
void cholesky_inverse(double* L, std::size_t n, double* scratch, int threads, const Progress& progress);

}  // namespace mercer
