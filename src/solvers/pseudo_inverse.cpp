#include "solvers/pseudo_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"

namespace mercer {

bool PseudoInverse::prepare(std::span<const double> s, double c) {
  if (c == c_ && std::ranges::equal(s, s_)) return true;
  const std::size_t n = K_.rows();
  std::vector<double> A(n * n);
  K_.matrix(A);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      A[i * n + j] = A[i * n + j] * (s.empty() ? 1.0 : s[i] * s[j]) + (i == j ? c : 0);
  eigen_ = symmetric_eigen(A, n, true);
  double largest = 0;
  for (const double value : eigen_.values) largest = std::max(largest, std::abs(value));
  dropped_ = 0;
  for (double& value : eigen_.values)
    if (std::abs(value) <= double(n) * std::numeric_limits<double>::epsilon() * largest)
      value = 0, ++dropped_;
  s_.assign(s.begin(), s.end());
  c_ = c;
  return true;
}

std::string PseudoInverse::words() const {
  return fmt::format("all eigenvalues, {} of {} taken as 0", dropped_, eigen_.values.size());
}

void PseudoInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  const auto n = blasint(K_.rows()), columns = blasint(k);
  if (n == 0 || k == 0) return;
  std::vector<double> parts(V.size());  // n × k: row i belongs to eigenvalue i
  gemm(CblasTrans, CblasNoTrans, n, columns, n, 1, eigen_.vectors.data(), n, V.data(), columns, 0,
       parts.data(), columns);
  for (std::size_t e = 0; e < parts.size(); ++e) {
    const double value = eigen_.values[e / k];
    parts[e] = value == 0 ? 0 : parts[e] / value;
  }
  gemm(CblasNoTrans, CblasNoTrans, n, columns, n, 1, eigen_.vectors.data(), n, parts.data(), columns, 0,
       out.data(), columns);
}

}  // namespace mercer
