#include "solvers/eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.hpp"
#include "mercer/error.hpp"

namespace mercer {
namespace {

TEST(SymmetricEigen, OfKnownMatrices) {
  EXPECT_TRUE(symmetric_eigen({}, 0, true).values.empty());
  EXPECT_EQ(symmetric_eigen(std::vector<double>{-3}, 1, true).values, std::vector<double>{-3});
  const auto two = symmetric_eigen(std::vector<double>{2, 1, 1, 2}, 2, true);
  EXPECT_NEAR(two.values[0], 1, 1e-15);
  EXPECT_NEAR(two.values[1], 3, 1e-15);
  EXPECT_NEAR(std::abs(two.vectors[0]), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(two.vectors[0], -two.vectors[2], 1e-15);  // column 0 belongs to 1: (1, −1)
  EXPECT_NEAR(two.vectors[1], two.vectors[3], 1e-15);   // column 1 belongs to 3: (1, 1)
  const auto swap = symmetric_eigen(std::vector<double>{0, 1, 1, 0}, 2, false);
  EXPECT_NEAR(swap.values[0], -1, 1e-15);
  EXPECT_TRUE(swap.vectors.empty());
}

TEST(SymmetricEigen, OfTheSecondDifference) {  // λₖ = 2 − 2 cos(πk / (n + 1))
  const std::size_t n = 40;
  std::vector<double> K(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    K[i * n + i] = 2;
    if (i + 1 < n) K[i * n + i + 1] = K[(i + 1) * n + i] = -1;
  }
  const auto eigen = symmetric_eigen(K, n, false);
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(eigen.values[k], 2 - 2 * std::cos(std::numbers::pi * double(k + 1) / double(n + 1)), 1e-13);
}

TEST(SymmetricEigen, RebuildsARandomMatrixFromOrthonormalVectors) {
  const std::size_t n = 70;
  Random random(1);
  std::vector<double> K(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) K[i * n + j] = K[j * n + i] = random.normal();
  const auto [values, vectors] = symmetric_eigen(K, n, true);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double rebuilt = 0, product = 0;
      for (std::size_t k = 0; k < n; ++k) {
        rebuilt += values[k] * vectors[i * n + k] * vectors[j * n + k];
        product += vectors[k * n + i] * vectors[k * n + j];
      }
      EXPECT_NEAR(rebuilt, K[i * n + j], 1e-12);
      EXPECT_NEAR(product, i == j, 1e-13);
    }
  EXPECT_TRUE(std::ranges::is_sorted(values));
}

TEST(SymmetricEigen, RefusesWhatIsNotANumber) {
  const std::vector<double> K{1, 0, std::numeric_limits<double>::quiet_NaN(), 1};
  try {
    symmetric_eigen(K, 2, true);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("non-finite"), std::string::npos);
  }
}

// A dense symmetric matrix with the eigenvalues given and random eigenvectors.
struct KrylovMatrix {
  std::size_t n;
  std::vector<double> entries;

  explicit KrylovMatrix(const std::vector<double>& values, std::uint64_t seed = 1)
      : n(values.size()), entries(n * n, 0) {
    Random random(seed);
    std::vector<double> symmetric(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) symmetric[i * n + j] = symmetric[j * n + i] = random.normal();
    const std::vector<double> V = symmetric_eigen(symmetric, n, true).vectors;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) entries[i * n + j] += values[k] * V[i * n + k] * V[j * n + k];
  }
  void operator()(const double* X, std::size_t k, double* out) const {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < k; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += entries[i * n + j] * X[j * k + c];
        out[i * k + c] = sum;
      }
  }
};

void expect_pairs(const KrylovMatrix& A, std::vector<double> values, const EigenPairs& pairs,
                  std::size_t count, double tolerance) {
  std::ranges::sort(values, std::greater{});
  ASSERT_EQ(pairs.values.size(), count);
  ASSERT_EQ(pairs.vectors.size(), A.n * count);
  EXPECT_TRUE(pairs.converged);
  std::vector<double> product(A.n * count);
  A(pairs.vectors.data(), count, product.data());
  for (std::size_t c = 0; c < count; ++c) {
    EXPECT_NEAR(pairs.values[c], values[c], tolerance * std::abs(values[0]));
    double squares = 0;
    for (std::size_t i = 0; i < A.n; ++i)
      squares += std::pow(product[i * count + c] - pairs.values[c] * pairs.vectors[i * count + c], 2);
    EXPECT_NEAR(std::sqrt(squares), pairs.residuals[c], 1e-10 * std::abs(values[0]));
    for (std::size_t other = 0; other <= c; ++other) {
      double dot = 0;
      for (std::size_t i = 0; i < A.n; ++i)
        dot += pairs.vectors[i * count + c] * pairs.vectors[i * count + other];
      EXPECT_NEAR(dot, c == other, 1e-12);
    }
  }
}

TEST(LeadingEigenpairs, OfSpectraThatFallFastAndSlowly) {
  std::vector<double> fast, slow;
  for (int k = 0; k < 150; ++k) fast.push_back(std::pow(0.7, k)), slow.push_back(1 / (1 + 0.05 * k));
  for (const auto& values : {fast, slow}) {
    const KrylovMatrix A(values);
    for (const std::size_t count : {1u, 2u, 7u})
      expect_pairs(A, values, leading_eigenpairs(A.n, A, count, {.tolerance = 1e-9}), count, 1e-12);
  }
}

TEST(LeadingEigenpairs, FindsEveryCopyOfAnEigenvalue) {
  std::vector<double> values(120, 0.5);
  for (std::size_t k = 0; k < 120; ++k) values[k] = k < 6 ? 1 : 0.6 / double(k);
  const KrylovMatrix A(values);
  expect_pairs(A, values, leading_eigenpairs(A.n, A, 6), 6, 1e-12);
  expect_pairs(A, values, leading_eigenpairs(A.n, A, 3), 3, 1e-12);
}

TEST(LeadingEigenpairs, AreTheAlgebraicallyLargestAlsoBelowZero) {
  std::vector<double> values;
  for (int k = 0; k < 60; ++k) values.push_back(k == 0 ? 2 : -double(k));
  const KrylovMatrix A(values);
  expect_pairs(A, values, leading_eigenpairs(A.n, A, 3), 3, 1e-10);
}

TEST(LeadingEigenpairs, OfMatricesOfLowRankAndOfTheZeroMatrix) {
  std::vector<double> values(50, 0.0);
  values[0] = 3, values[1] = 1;
  const KrylovMatrix A(values), zero(std::vector<double>(50, 0.0));
  expect_pairs(A, values, leading_eigenpairs(A.n, A, 4), 4, 1e-12);
  EXPECT_EQ(leading_eigenpairs(50, zero, 2).values, (std::vector<double>{0, 0}));
}

TEST(LeadingEigenpairs, OfSmallSizes) {
  for (const std::size_t n : {1u, 2u, 3u, 5u}) {
    std::vector<double> values;
    for (std::size_t k = 0; k < n; ++k) values.push_back(double(k) + 1);
    const KrylovMatrix A(values);
    for (std::size_t count = 1; count <= n; ++count)
      expect_pairs(A, values, leading_eigenpairs(n, A, count), count, 1e-12);
  }
}

TEST(LeadingEigenpairs, StopAfterTheProductsAllowedAndSaySo) {
  std::vector<double> values;
  for (int k = 0; k < 200; ++k) values.push_back(1 - 1e-3 * k);
  const KrylovMatrix A(values);
  const EigenPairs pairs = leading_eigenpairs(A.n, A, 2, {.products = 3});
  EXPECT_FALSE(pairs.converged);
  EXPECT_EQ(pairs.products, 3u);
  EXPECT_GT(relative_residual(pairs), 1e-8);
  const EigenPairs after = leading_eigenpairs(A.n, A, 2, {.start = pairs.vectors});
  EXPECT_TRUE(after.converged);
  EXPECT_LE(relative_residual(after), 1e-8);
}

TEST(LeadingEigenpairs, MeasureResidualsOfSmallEigenvaluesAgainstAMillionthOfTheLargest) {
  EigenPairs pairs{.values = {10, 1e-9}, .vectors = {}, .residuals = {1, 1e-6}};
  EXPECT_DOUBLE_EQ(relative_residual(pairs), 0.1);
  pairs.residuals[1] = 2e-6;
  EXPECT_DOUBLE_EQ(relative_residual(pairs), 0.2);
}

}  // namespace
}  // namespace mercer
