#include "model/given_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

bool given_matrix_is_psd(const Kernel& kernel, const Points& points, int threads) {
  const std::size_t n = points.rows();
  if (!kernel.precomputed() || n == 0) return false;
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel, points, points, {.threads = threads}).matrix(K);
  double largest = 0, norm = 0;  // max |k|, and the largest sum over a row
  bool narrow = true;            // all are float32 numbers
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double k = K[i * n + j];
      sum += std::abs(k);
      largest = std::max(largest, std::abs(k));
      narrow = narrow && double(float(k)) == k;
    }
    norm = std::max(norm, sum);
  }
  if (!std::isfinite(norm)) return false;
  const double single = narrow ? 6e-8 * largest : 0;  // by how much an entry may be off
  const double rounding = 10 * double(n) * 1.1e-16 * norm + double(n) * single;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(K[i * n + j] - K[j * n + i]) > 1e-12 * largest + 2 * single) return false;
  // K + εI has a Cholesky factor if and only if no eigenvalue of K is at or below −ε.
  for (std::size_t i = 0; i < n; ++i) K[i * n + i] += rounding > 0 ? rounding : 1;
  const SingleThreadedBlas one_thread;
  return lapack::potrf(K.data(), n, n);
}

}  // namespace mercer
