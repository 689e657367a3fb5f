#include "solvers/held_inverse.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "solvers/eigen.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

KernelOperator<double> held(const Kernel& kernel, const Points& points) {
  return KernelOperator<double>(kernel, points, {.storage = OperatorOptions::Storage::held, .threads = 1});
}

// L⁻¹ A L⁻ᵀ = I, whatever the size is beside the blocks; the numbers above the diagonal are left alone.
TEST(InvertFactor, IsTheInverseOfTheCholeskyFactor) {
  for (const std::size_t n : {1u, 2u, 7u, 48u, 49u, 97u, 200u}) {
    const std::size_t stride = n + 3;
    const std::vector<double> B = normal_numbers(n * n, n);
    std::vector<double> A(n * n), M(n * stride, 9);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t k = 0; k < n; ++k) A[i * n + j] += B[i * n + k] * B[j * n + k] / double(n);
        A[i * n + j] += i == j ? 0.5 : 0;
        A[j * n + i] = M[i * stride + j] = A[i * n + j];
      }
    ASSERT_TRUE(invert_factor(M.data(), n, stride));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k <= i; ++k)
          for (std::size_t l = 0; l <= j; ++l) sum += M[i * stride + k] * A[k * n + l] * M[j * stride + l];
        ASSERT_NEAR(sum, i == j ? 1 : 0, 1e-11) << n << ": " << i << ", " << j;
        if (j < i) ASSERT_EQ(M[j * stride + i], 9);
      }
  }
}

TEST(InvertFactor, RefusesWhatIsNotPositiveDefinite) {
  for (const std::size_t n : {2u, 60u, 130u})
    for (const std::size_t wrong : {std::size_t(0), n / 2, n - 1}) {
      std::vector<double> A(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) A[i * n + i] = i == wrong ? -1 : 1;
      EXPECT_FALSE(invert_factor(A.data(), n, n)) << n << ' ' << wrong;
    }
}

TEST(HeldInverse, UndoesTheProductAndKnowsTheTrace) {
  for (const std::size_t n : {1u, 2u, 70u, 130u}) {
    const Points points = as_points(random_rows(n, 2, n));
    const auto K = held(rbf({.gamma = 1}), points);
    HeldInverse inverse(K.held(), n, {});
    EXPECT_FALSE(inverse.trace());
    std::vector<double> s(n, 0.5);
    s[0] = 0;
    for (const bool scaled : {false, true})
      for (const double c : {1.0, 0.1}) {
        for (const std::size_t k : {1u, 3u})
          EXPECT_LT(
              inversion_error(inverse, rbf({.gamma = 1}), points, scaled ? s : std::vector<double>(), c, k),
              1e-11);
        std::vector<double> A(K.held(), K.held() + n * n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            A[i * n + j] = A[i * n + j] * (scaled ? s[i] * s[j] : 1) + (i == j ? c : 0);
        double trace = 0;
        for (const double value : symmetric_eigen(A, n, false).values) trace += 1 / value;
        EXPECT_NEAR(*inverse.trace(), trace, 1e-10 * trace) << n;
      }
  }
}

TEST(HeldInverse, SaysWhereKIsSingular) {
  auto rows = random_rows(130, 2, 2);
  rows[20] = rows[3];
  const auto K = held(rbf({.gamma = 1}), as_points(rows));
  HeldInverse inverse(K.held(), 130, {});
  EXPECT_FALSE(inverse.prepare({}, 0));
  EXPECT_FALSE(inverse.trace());
  EXPECT_TRUE(inverse.prepare({}, 0.1));
  EXPECT_TRUE(inverse.trace());
  EXPECT_FALSE(inverse.prepare({}, 0));
  EXPECT_FALSE(inverse.trace());
}

}  // namespace
}  // namespace mercer
