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

}  // namespace
}  // namespace mercer
