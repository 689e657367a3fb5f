#include "base/lapack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace mercer {
namespace {

using Matrix = std::vector<double>;  // n × n by rows

Matrix random_symmetric(std::size_t n, std::uint64_t seed, double ridge = 0) {
  Random random(seed);
  Matrix A(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) A[i * n + j] = A[j * n + i] = random.normal() + (i == j ? ridge : 0);
  return A;
}

TEST(Lapack, FactorsTheLowerHalfAndLeavesTheUpper) {
  for (const std::size_t n : {1, 2, 17, 70}) {
    const std::size_t stride = n + 3;
    const Matrix A = random_symmetric(n, n, 3 * double(n));
    Matrix L(n * stride, 9);
    std::vector<float> single(n * stride, 9);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) single[i * stride + j] = float(L[i * stride + j] = A[i * n + j]);
    ASSERT_TRUE(lapack::potrf(L.data(), n, stride));
    ASSERT_TRUE(lapack::potrf(single.data(), n, stride));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += L[i * stride + k] * L[j * stride + k];
        EXPECT_NEAR(sum, A[i * n + j], 1e-12 * double(n) * 3);
        EXPECT_NEAR(single[i * stride + j], L[i * stride + j], 1e-4 * std::sqrt(3.0 * double(n)));
        if (j < i) {
          EXPECT_EQ(L[j * stride + i], A[j * n + i]);
        }
      }
  }
  Matrix indefinite{1, 2, 2, 1};
  EXPECT_FALSE(lapack::potrf(indefinite.data(), 2, 2));
}

TEST(Lapack, InvertsATriangle) {
  for (const std::size_t n : {1, 2, 17, 70}) {
    const std::size_t stride = n + 3;
    const Matrix A = random_symmetric(n, n, 3 * double(n));
    Matrix M(n * stride, 9);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) M[i * stride + j] = A[i * n + j];
    ASSERT_TRUE(lapack::trtri(M.data(), n, stride));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = j; k <= i; ++k) sum += A[i * n + k] * M[k * stride + j];
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12);
        if (j < i) EXPECT_EQ(M[j * stride + i], 9);
      }
  }
  Matrix singular{1, 0, 2, 0};
  EXPECT_FALSE(lapack::trtri(singular.data(), 2, 2));
}

// A·v = λ·v, vectors of length 1 at right angles, values in order.
void expect_pairs(const Matrix& A, std::size_t n, const std::vector<double>& values, const double* vectors) {
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (e > 0) {
      EXPECT_LE(values[e - 1], values[e]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += A[i * n + j] * vectors[e * n + j];
      EXPECT_NEAR(product, values[e] * vectors[e * n + i], 1e-12 * double(n)) << "n " << n << " pair " << e;
    }
    for (std::size_t other = 0; other <= e; ++other) {
      double dot = 0;
      for (std::size_t j = 0; j < n; ++j) dot += vectors[e * n + j] * vectors[other * n + j];
      EXPECT_NEAR(dot, other == e ? 1 : 0, 1e-12 * double(n));
    }
  }
}

TEST(Lapack, FindsAllEigenpairs) {
  for (const std::size_t n : {1, 2, 3, 40, 130}) {
    const Matrix A = random_symmetric(n, 100 + n);
    Matrix vectors = A, lost = A;
    std::vector<double> values(n), values_alone(n);
    ASSERT_TRUE(lapack::syevd(true, vectors.data(), n, values.data()));
    expect_pairs(A, n, values, vectors.data());
    ASSERT_TRUE(lapack::syevd(false, lost.data(), n, values_alone.data()));
    for (std::size_t e = 0; e < n; ++e) EXPECT_NEAR(values_alone[e], values[e], 1e-12 * double(n));
  }
}

TEST(Lapack, FindsTheLargestEigenpairs) {
  for (const std::size_t n : {1, 5, 60})
    for (const std::size_t count : {std::size_t(1), (n + 1) / 2, n}) {
      const Matrix A = random_symmetric(n, 200 + n);
      Matrix lost = A, all = A, vectors(count * n);
      std::vector<double> values(count), all_values(n);
      ASSERT_TRUE(lapack::syevr(lost.data(), n, count, values.data(), vectors.data()));
      expect_pairs(A, n, values, vectors.data());
      ASSERT_TRUE(lapack::syevd(true, all.data(), n, all_values.data()));
      for (std::size_t e = 0; e < count; ++e)
        EXPECT_NEAR(values[e], all_values[n - count + e], 1e-12 * double(n));
    }
}

TEST(Lapack, RefusesNumbersThatAreNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Matrix A{1, bad, bad, 1}, B = A, vectors(2);
    std::vector<double> values(2);
    EXPECT_FALSE(lapack::syevd(true, A.data(), 2, values.data()));
    EXPECT_FALSE(lapack::syevr(B.data(), 2, 1, values.data(), vectors.data()));
  }
}

TEST(Lapack, MakesRowsOrthogonal) {
  constexpr std::size_t count = 4, n = 7;
  Random random(5);
  Matrix A(count * n);
  for (double& value : A) value = random.normal();
  Matrix Q = A;
  std::vector<double> diagonal(count);
  lapack::qr(Q.data(), count, n, diagonal.data());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0, onto = 0;
      for (std::size_t k = 0; k < n; ++k)
        dot += Q[i * n + k] * Q[j * n + k], onto += Q[i * n + k] * A[j * n + k];
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-14);
      EXPECT_NEAR(onto, i == j ? diagonal[i] : 0, 1e-13) << "R is triangular";
    }
}

}  // namespace
}  // namespace mercer
