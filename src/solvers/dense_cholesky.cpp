#include "solvers/dense_cholesky.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "base/parallel.hpp"

namespace mercer {

namespace {

constexpr std::size_t block_width = 256;  // of a block column
constexpr std::size_t part_height = 512;  // of the parts that it is updated in

// C (m × n) −= A (m × k) · B (n × k)ᵀ; rows of all three `ld` apart.
void subtract(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c,
              std::size_t ld) {
  blas().sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(k), -1, a,
               blasint(ld), b, blasint(ld), 1, c, blasint(ld));
}
void subtract(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c,
              std::size_t ld) {
  blas().dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(k), -1, a,
               blasint(ld), b, blasint(ld), 1, c, blasint(ld));
}

// B (m × n) = B L⁻ᵀ.
void divide(std::size_t m, std::size_t n, const float* l, float* b, std::size_t ld) {
  blas().strsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, blasint(m), blasint(n), 1, l,
               blasint(ld), b, blasint(ld));
}
void divide(std::size_t m, std::size_t n, const double* l, double* b, std::size_t ld) {
  blas().dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, blasint(m), blasint(n), 1, l,
               blasint(ld), b, blasint(ld));
}

void solve(CBLAS_TRANSPOSE transposed, std::size_t n, const float* l, std::size_t ld, float* x,
           std::size_t k) {
  if (k == 1)
    blas().strsv(CblasRowMajor, CblasLower, transposed, CblasNonUnit, blasint(n), l, blasint(ld), x, 1);
  else
    blas().strsm(CblasRowMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, blasint(n), blasint(k), 1, l,
                 blasint(ld), x, blasint(k));
}
void solve(CBLAS_TRANSPOSE transposed, std::size_t n, const double* l, std::size_t ld, double* x,
           std::size_t k) {
  if (k == 1)
    blas().dtrsv(CblasRowMajor, CblasLower, transposed, CblasNonUnit, blasint(n), l, blasint(ld), x, 1);
  else
    blas().dtrsm(CblasRowMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, blasint(n), blasint(k), 1, l,
                 blasint(ld), x, blasint(k));
}

}  // namespace

template <class T>
bool cholesky_factor(T* A, std::size_t n, std::size_t stride, int threads, const Progress& progress) {
  const SingleThreadedBlas one_thread;
  for (std::size_t j = 0; j < n; j += block_width) {
    const std::size_t columns = std::min(block_width, n - j);
    T* diagonal = A + j * stride + j;
    const double done = double(j) / double(n);
    const auto rows_at = [&](std::size_t begin) { return A + begin * stride; };
    if (j > 0) subtract(columns, columns, j, rows_at(j), rows_at(j), diagonal, stride);
    if (!lapack::potrf(diagonal, columns, stride)) return false;
    const std::size_t below = n - j - columns, parts = (below + part_height - 1) / part_height;
    parallel_for(parts, threads_worth(below * columns * n, threads), [&](std::size_t p) {
      const std::size_t begin = j + columns + p * part_height, rows = std::min(part_height, n - begin);
      if (j > 0) subtract(rows, columns, j, rows_at(begin), rows_at(j), rows_at(begin) + j, stride);
      divide(rows, columns, diagonal, rows_at(begin) + j, stride);
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

}  // namespace mercer
