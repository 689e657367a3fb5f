#include "solvers/dense_cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "mercer/error.hpp"

namespace mercer {
namespace {

/// 2I + G Gᵀ/m in rows `stride` apart; the upper half holds what must not be read.
template <class T>
std::vector<T> positive_definite(std::size_t n, std::size_t stride) {
  constexpr std::size_t m = 3;
  Random random(n);
  std::vector<double> G(n * m);
  for (double& g : G) g = random.normal();
  std::vector<T> A(n * stride, T(NAN));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 2 : 0;
      for (std::size_t q = 0; q < m; ++q) sum += G[i * m + q] * G[j * m + q] / m;
      A[i * stride + j] = T(sum);
    }
  return A;
}

template <class T>
void expect_solution(std::size_t n, std::size_t k, double tolerance) {
  const std::size_t stride = row_stride<T>(n);
  const std::vector<T> A = positive_definite<T>(n, stride);
  std::vector<T> L = A, other = A;
  const Progress progress;
  ASSERT_TRUE(cholesky_factor(L.data(), n, stride, 1, progress));
  ASSERT_TRUE(cholesky_factor(other.data(), n, stride, 2, progress));
  Random random(n + k);
  std::vector<T> X(n * k);
  for (T& x : X) x = T(random.normal());
  std::vector<T> R(n * k);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t q = 0; q < k; ++q)
        R[i * k + q] += A[std::max(i, j) * stride + std::min(i, j)] * X[j * k + q];
  cholesky_solve(L.data(), n, stride, R.data(), k);
  for (std::size_t e = 0; e < X.size(); ++e) ASSERT_NEAR(R[e], X[e], tolerance) << n << ' ' << k;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) ASSERT_EQ(L[i * stride + j], other[i * stride + j]);
}

TEST(DenseCholesky, SolvesWithTheSameBitsForAnyThreads) {
  for (const std::size_t n : {0u, 1u, 2u, 33u, 255u, 256u, 300u})
    for (const std::size_t k : {1u, 3u}) {
      expect_solution<double>(n, k, 1e-11);
      expect_solution<float>(n, k, 5e-3);
    }
  expect_solution<double>(801, 1, 1e-10);
}

TEST(DenseCholesky, RefusesWhatIsNotPositiveDefinite) {
  const Progress progress;
  std::vector<double> singular{1, 0, 1, 1}, negative{-1};
  EXPECT_FALSE(cholesky_factor(negative.data(), 1, 1, 1, progress));
  singular[3] = 1 - 1e-9;
  EXPECT_FALSE(cholesky_factor(singular.data(), 2, 2, 1, progress));
  std::vector<double> late = positive_definite<double>(300, 300);
  late[299 * 300 + 299] = -1;
  EXPECT_FALSE(cholesky_factor(late.data(), 300, 300, 1, progress));
}

TEST(DenseCholesky, CanBeStopped) {
  const Progress progress([](std::string_view, double) { return false; });
  std::vector<float> A = positive_definite<float>(600, 600);
  EXPECT_THROW(cholesky_factor(A.data(), 600, 600, 1, progress), Error);
}

std::vector<double> definite(std::size_t n) {
  Random random(n);
  std::vector<double> A(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      A[i * n + j] = A[j * n + i] = i == j ? double(n) : random.uniform(-1, 1);
  return A;
}

std::vector<double> inverted(std::vector<double> A, std::size_t n, int threads) {
  const Progress progress;
  EXPECT_TRUE(cholesky_factor(A.data(), n, n, threads, progress));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) A[i * n + j] = NAN;  // is not read
  std::vector<double> scratch(n * n, NAN);
  cholesky_inverse(A.data(), n, scratch.data(), threads, progress);
  return A;
}

TEST(CholeskyInverse, TimesTheMatrixIsTheIdentity) {
  for (const std::size_t n : {0u, 1u, 2u, 37u, 256u, 300u}) {
    const std::vector<double> A = definite(n), inverse = inverted(A, n, 2);
    for (std::size_t i = 0; i < n; i += 1 + n / 20)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += A[i * n + k] * inverse[k * n + j];
        ASSERT_NEAR(sum, i == j, 1e-12) << n << ": " << i << ", " << j;
        ASSERT_EQ(inverse[i * n + j], inverse[j * n + i]);
      }
  }
}

TEST(CholeskyInverse, IsMadeInFloat32Too) {
  const std::size_t n = 300;
  const std::vector<double> A = definite(n), exact = inverted(A, n, 1);
  std::vector<float> L(A.begin(), A.end()), scratch(n * n);
  ASSERT_TRUE(cholesky_factor(L.data(), n, n, 2, Progress()));
  cholesky_inverse(L.data(), n, scratch.data(), 2, Progress());
  for (std::size_t e = 0; e < n * n; ++e) ASSERT_NEAR(L[e], exact[e], 1e-5 / double(n)) << e;
}

TEST(CholeskyInverse, HasTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> A = definite(600);
  EXPECT_EQ(inverted(A, 600, 1), inverted(A, 600, 2));
}

TEST(CholeskyInverse, CanBeStopped) {
  std::vector<double> L = definite(3), scratch(9);
  const Progress progress(Progress([](std::string_view, double) { return false; }));
  EXPECT_THROW(cholesky_inverse(L.data(), 3, scratch.data(), 1, progress), Error);
}

TEST(DenseCholesky, HasTheDiagonalOfTheInverseAlone) {
  for (const std::size_t n : {1u, 2u, 255u, 256u, 300u}) {
    const std::vector<double> A = definite(n), inverse = inverted(A, n, 1);
    std::vector<double> L = A, one(n), two(n);
    EXPECT_TRUE(cholesky_factor(L.data(), n, n, 1, {}));
    cholesky_inverse_diagonal(L.data(), n, one.data(), 1);
    cholesky_inverse_diagonal(L.data(), n, two.data(), 2);
    EXPECT_EQ(one, two);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(one[i], inverse[i * n + i], 1e-13);
  }
}

}  // namespace
}  // namespace mercer
