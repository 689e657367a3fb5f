#include "solvers/cholesky_inverse.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"

namespace mercer {

namespace {

constexpr std::size_t width = 256;

// Columns [j, j + w) of L⁻¹: 0 above row j, below that the solution of L X = I.
void invert_columns(const double* L, std::size_t n, std::size_t j, double* inverse) {
  const std::size_t w = std::min(width, n - j);
  for (std::size_t i = j; i < n; ++i) {
    std::fill_n(inverse + i * n + j, w, 0.0);
    if (i < j + w) inverse[i * n + i] = 1;
  }
  trsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n - j, w, 1, L + j * n + j, n, inverse + j * n + j,
       n);
}

// Block (i, j), i ≥ j, of L⁻ᵀL⁻¹ and its mirror image; rows of L⁻¹ above i have nothing in the columns of i.
void multiply_block(const double* inverse, std::size_t n, std::size_t i, std::size_t j, double* out) {
  const std::size_t rows = std::min(width, n - i), columns = std::min(width, n - j);
  gemm(CblasTrans, CblasNoTrans, rows, columns, n - i, 1, inverse + i * n + i, n, inverse + i * n + j, n, 0,
       out + i * n + j, n);
  for (std::size_t r = i; r < i + rows; ++r)
    for (std::size_t c = j; c < std::min(j + columns, r); ++c) out[c * n + r] = out[r * n + c];
}

}  // namespace

void cholesky_inverse(double* L, std::size_t n, double* scratch, int threads, const Progress& progress) {
  const SingleThreadedBlas one_thread;
  const std::size_t blocks = (n + width - 1) / width;
  const int worth = threads_worth(n * n * n, threads);
  parallel_for(blocks, worth, [&](std::size_t b) {
    invert_columns(L, n, b * width, scratch);
    progress.check("inverse", 0.5 * double(b) / double(blocks));
  });
  parallel_for(blocks * blocks, worth, [&](std::size_t task) {
    const std::size_t i = task / blocks, j = task % blocks;
    if (j > i) return;
    multiply_block(scratch, n, i * width, j * width, L);
    progress.check("inverse", 0.5 + 0.5 * double(task) / double(blocks * blocks));
  });
}

}  // namespace mercer
