#include "solvers/degrees_of_freedom.hpp"

#include <numeric>

#include "solvers/cholesky_inverse.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/low_rank_inverse.hpp"

namespace mercer {

namespace {

constexpr std::size_t most = 1500;

}  // namespace

std::optional<double> degrees_of_freedom(const Kernel& kernel, const Points& points,
                                         std::span<const double> s, double c, bool bias, int threads) {
  const std::size_t n = points.rows();
  if (n > most || !(c > 0)) return {};
  const Progress progress;
  Buffer<double> A(n * n), scratch(n * n);
  Gram<double>(kernel, points, {.threads = threads}).matrix(A);
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

// tr A⁻¹ = tr (Φᵀ S² Φ + cI)⁻¹ + (n − p)/c.
std::optional<double> degrees_of_freedom(const FeatureOperator& features, std::span<const double> s, double c,
                                         bool bias, int threads) {
  const std::size_t n = features.rows(), p = features.features();
  if (p > most || !(c > 0)) return {};
  const Progress progress;
  Buffer<double> A = features.normal_matrix(s), scratch(p * p);
  for (std::size_t j = 0; j < p; ++j) A[j * p + j] += c;
  if (!cholesky_factor(A.data(), p, p, threads, progress)) return {};
  cholesky_inverse(A.data(), p, scratch.data(), threads, progress);
  double trace = 0, taken = 0;
  for (std::size_t j = 0; j < p; ++j) trace += A[j * p + j];
  if (bias) {
    LowRankInverse inverse(features, threads, progress);
    if (!inverse.prepare(s, c)) return {};
    std::vector<double> u(n);
    inverse.apply(s, 1, u);
    const double squares = std::inner_product(u.begin(), u.end(), u.begin(), 0.0);
    taken = squares / std::inner_product(u.begin(), u.end(), s.begin(), 0.0);
  }
  return double(p) - c * (trace - taken);
}

}  // namespace mercer
