#include "solvers/dense_cholesky.hpp"

#include <algorithm>
#include <vector>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "base/parallel.hpp"

namespace mercer {

namespace {

constexpr std::size_t width = 256;        // of a block column
constexpr std::size_t part_height = 512;  // of the parts that it is updated in

template <class T>
void solve(CBLAS_TRANSPOSE transposed, std::size_t n, const T* l, std::size_t ld, T* x, std::size_t k) {
  if (k == 1)
    trsv(CblasLower, transposed, CblasNonUnit, n, l, ld, x, 1);
  else
    trsm(CblasLeft, CblasLower, transposed, CblasNonUnit, n, k, 1, l, ld, x, k);
}

// Columns [j, j + w) of L⁻¹ from row j on, above which they are 0: the solution of L X = I. Rows of `inverse`
// are `stride` apart.
template <class T>
void invert_columns(const T* L, std::size_t n, std::size_t j, T* inverse, std::size_t stride) {
  const std::size_t w = std::min(width, n - j);
  for (std::size_t i = 0; i < n - j; ++i) {
    std::fill_n(inverse + i * stride, w, T(0));
    if (i < w) inverse[i * stride + i] = 1;
  }
  trsm<T>(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n - j, w, 1, L + j * n + j, n, inverse, stride);
}

// Rows [i, i + width) of L⁻ᵀL⁻¹, columns [j, end), end ≤ i + width, and their mirror image; rows of L⁻¹ above
// i have nothing in the columns of i.
template <class T>
void multiply_block(const T* inverse, std::size_t n, std::size_t i, std::size_t j, std::size_t end, T* out) {
  const std::size_t rows = std::min(width, n - i);
  gemm<T>(CblasTrans, CblasNoTrans, rows, end - j, n - i, 1, inverse + i * n + i, n, inverse + i * n + j, n,
          0, out + i * n + j, n);
  constexpr std::size_t step = 16;  // a mirror of small squares, whose lines stay in the cache
  for (std::size_t first = j; first < end; first += step)
    for (std::size_t r = i; r < i + rows; ++r)
      for (std::size_t c = first; c < std::min({first + step, end, r}); ++c) out[c * n + r] = out[r * n + c];
}

}  // namespace

template <class T>
bool cholesky_factor(T* A, std::size_t n, std::size_t stride, int threads, const Progress& progress) {
  const SingleThreadedBlas one_thread;
  for (std::size_t j = 0; j < n; j += width) {
    const std::size_t columns = std::min(width, n - j);
    T* diagonal = A + j * stride + j;
    const double done = double(j) / double(n);
    const auto rows_at = [&](std::size_t begin) { return A + begin * stride; };
    if (j > 0)
      gemm<T>(CblasNoTrans, CblasTrans, columns, columns, j, -1, rows_at(j), stride, rows_at(j), stride, 1,
              diagonal, stride);
    if (!lapack::potrf(diagonal, columns, stride)) return false;
    const std::size_t below = n - j - columns, parts = (below + part_height - 1) / part_height;
    parallel_for(parts, threads_worth(below * columns * n, threads), [&](std::size_t p) {
      const std::size_t begin = j + columns + p * part_height, rows = std::min(part_height, n - begin);
      if (j > 0)
        gemm<T>(CblasNoTrans, CblasTrans, rows, columns, j, -1, rows_at(begin), stride, rows_at(j), stride, 1,
                rows_at(begin) + j, stride);
      trsm<T>(CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, columns, 1, diagonal, stride,
              rows_at(begin) + j, stride);
      progress.check("Cholesky factor", done * done * (3 - 2 * done));
    });
  }
  return true;
}

template <class T>
void cholesky_solve(const T* L, std::size_t n, std::size_t stride, T* X, std::size_t k) {
  if (n == 0 || k == 0) return;
  const SingleThreadedBlas one_thread;
  solve(CblasNoTrans, n, L, stride, X, k);
  solve(CblasTrans, n, L, stride, X, k);
}

template bool cholesky_factor(float*, std::size_t, std::size_t, int, const Progress&);
template bool cholesky_factor(double*, std::size_t, std::size_t, int, const Progress&);
template void cholesky_solve(const float*, std::size_t, std::size_t, float*, std::size_t);
template void cholesky_solve(const double*, std::size_t, std::size_t, double*, std::size_t);

template <class T>
void cholesky_inverse(T* L, std::size_t n, T* scratch, int threads, const Progress& progress) {
  const SingleThreadedBlas one_thread;
  const std::size_t blocks = (n + width - 1) / width;
  const int worth = threads_worth(n * n * n, threads);
  parallel_for(blocks, worth, [&](std::size_t b) {
    invert_columns(L, n, b * width, scratch + b * width * (n + 1), n);
    progress.check("inverse", 0.5 * double(b) / double(blocks));
  });
  constexpr std::size_t long_width = 4 * width;  // of what is multiplied with a packed block
  const std::size_t parts = (n + long_width - 1) / long_width;
  parallel_for(blocks * parts, worth, [&](std::size_t task) {
    const std::size_t i = task / parts * width, j = task % parts * long_width;
    if (j > i) return;
    multiply_block(scratch, n, i, j, std::min({j + long_width, i + width, n}), L);
    progress.check("inverse", 0.5 + 0.5 * double(task) / double(blocks * parts));
  });
}

template void cholesky_inverse(float*, std::size_t, float*, int, const Progress&);
template void cholesky_inverse(double*, std::size_t, double*, int, const Progress&);

void cholesky_inverse_diagonal(const double* L, std::size_t n, double* diagonal, int threads) {
  parallel_blocks(n, width, threads_worth(n * n * n, threads), [&](std::size_t first, std::size_t last) {
    const SingleThreadedBlas one_thread;
    const std::size_t columns = last - first;
    std::vector<double> inverse((n - first) * columns);
    invert_columns(L, n, first, inverse.data(), columns);
    std::fill_n(diagonal + first, columns, 0.0);
    for (std::size_t e = 0; e < inverse.size(); ++e) diagonal[first + e % columns] += inverse[e] * inverse[e];
  });
}

}  // namespace mercer
