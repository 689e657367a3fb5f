// Linear systems by Gaussian elimination, for comparison: any regular matrix, also an indefinite one.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace mercer::testing {

/// X with A X = R; A is n × n, R n × k, both row-major. In each column the largest pivot.
inline std::vector<double> eliminate(std::vector<double> A, std::vector<double> R, std::size_t k = 1) {
  const std::size_t n = R.size() / k;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(A[i * n + j]) > std::abs(A[pivot * n + j])) pivot = i;
    for (std::size_t l = 0; l < n; ++l) std::swap(A[j * n + l], A[pivot * n + l]);
    for (std::size_t q = 0; q < k; ++q) std::swap(R[j * k + q], R[pivot * k + q]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const double part = A[i * n + j] / A[j * n + j];
      for (std::size_t l = j; l < n; ++l) A[i * n + l] -= part * A[j * n + l];
      for (std::size_t q = 0; q < k; ++q) R[i * k + q] -= part * R[j * k + q];
    }
  }
  for (std::size_t j = n; j-- > 0;)
    for (std::size_t q = 0; q < k; ++q) {
      for (std::size_t l = j + 1; l < n; ++l) R[j * k + q] -= A[j * n + l] * R[l * k + q];
      R[j * k + q] /= A[j * n + j];
    }
  return R;
}

/// α (n × outputs) and b (outputs) of (K + cW⁻¹)α + 1bᵀ = Y, with 1ᵀα = 0 where b is free; b is 0 otherwise.
struct RidgeSolution {
  std::vector<double> alpha, b;
};
inline RidgeSolution ridge_solution(const std::vector<double>& K, const std::vector<double>& weights,
                                    const std::vector<double>& Y, std::size_t outputs, double c, bool bias) {
  const std::size_t n = weights.size(), size = n + bias;
  std::vector<double> A(size * size, 0.0), R(size * outputs, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[i * size + j] = K[i * n + j] + (i == j ? c / weights[i] : 0);
    if (bias) A[i * size + n] = A[n * size + i] = 1;
    for (std::size_t o = 0; o < outputs; ++o) R[i * outputs + o] = Y[i * outputs + o];
  }
  std::vector<double> X = eliminate(std::move(A), std::move(R), outputs),
                      b(X.begin() + std::ptrdiff_t(n * outputs), X.end());
  X.resize(n * outputs);
  if (!bias) b.assign(outputs, 0.0);
  return {std::move(X), std::move(b)};
}

}  // namespace mercer::testing
