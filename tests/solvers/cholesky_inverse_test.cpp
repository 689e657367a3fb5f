#include "solvers/cholesky_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {
namespace {

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

TEST(CholeskyInverse, HasTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> A = definite(600);
  EXPECT_EQ(inverted(A, 600, 1), inverted(A, 600, 2));
}

TEST(CholeskyInverse, CanBeStopped) {
  std::vector<double> L = definite(3), scratch(9);
  const Progress progress(Progress([](std::string_view, double) { return false; }));
  EXPECT_THROW(cholesky_inverse(L.data(), 3, scratch.data(), 1, progress), Error);
}

}  // namespace
}  // namespace mercer
