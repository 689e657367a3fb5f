#include "solvers/degrees_of_freedom.hpp"

#include "solvers/cholesky_inverse.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

std::optional<double> degrees_of_freedom(const Kernel& kernel, const Points& points,
                                         std::span<const double> s, double c, bool bias, int threads) {
  constexpr std::size_t most = 1500;
  const std::size_t n = points.rows();
  if (n > most || !(c > 0)) return {};
  const Progress progress;
  Buffer<double> A(n * n), scratch(n * n);
  KernelOperator<double>(kernel, points, {.threads = threads}).matrix(A);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] *= s[i] * s[j];
    A[i * n + i] += c;
  }
  if (!cholesky_factor(A.data(), n, n, threads, progress)) return {};
  cholesky_inverse(A.data(), n, scratch.data(), threads, progress);
  double trace = 0, squares = 0, along = 0;
  for (std::size_t i = 0; i < n; ++i) {
    trace += A[i * n + i];
    double u = 0;
    for (std::size_t j = 0; j < n; ++j) u += A[i * n + j] * s[j];
    squares += u * u;
    along += s[i] * u;
  }
  return double(n) - c * (trace - (bias ? squares / along : 0));
}

}  // namespace mercer
