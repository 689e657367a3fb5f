// A = L Lᵀ of a dense positive definite A, systems with it, and A⁻¹, in blocks that work side by side, each
// by one thread, so that the bits do not depend on the number of threads.
#pragma once

#include <cstddef>

#include "mercer/progress.hpp"

namespace mercer {

/// The lower half of A (n × n, row-major, rows `stride` apart) becomes L; the upper half is not read. False
/// where A is not positive definite to the precision of T.
template <class T>  // float or double
bool cholesky_factor(T* A, std::size_t n, std::size_t stride, int threads, const Progress& progress);

/// X = (L Lᵀ)⁻¹ X for X of n × k, row-major.
template <class T>
void cholesky_solve(const T* L, std::size_t n, std::size_t stride, T* X, std::size_t k);

/// A distance between rows of n numbers that is no multiple of a page: those compete for cache lines.
template <class T>
std::size_t row_stride(std::size_t n) {
  const std::size_t line = 64 / sizeof(T), rounded = (n + line - 1) / line * line;
  return rounded % (16 * line) == 0 ? rounded + line : rounded;
}

/// L (n × n, row-major; the upper half is not read) becomes (L Lᵀ)⁻¹, both halves. `scratch`: n × n numbers.
template <class T>
void cholesky_inverse(T* L, std::size_t n, T* scratch, int threads, const Progress& progress);

/// The diagonal of (L Lᵀ)⁻¹, n numbers, in a third of the time.
void cholesky_inverse_diagonal(const double* L, std::size_t n, double* diagonal, int threads);

}  // namespace mercer
