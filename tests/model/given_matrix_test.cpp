#include "model/given_matrix.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include <cmath>

#include "mercer/kernel_operator.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

Points numbered(const std::vector<std::vector<double>>& K) {
  std::vector<std::size_t> ids(K.size());
  std::iota(ids.begin(), ids.end(), std::size_t(0));
  return Points(K).with_ids(std::move(ids));
}

std::vector<std::vector<double>> gram(const std::string& kernel, const Points& points) {
  std::vector<double> values(points.rows() * points.rows());
  KernelOperator<double>(Kernel::parse(kernel), points, {.threads = 1}).matrix(values);
  std::vector<std::vector<double>> K(points.rows());
  for (std::size_t i = 0; i < K.size(); ++i)
    K[i].assign(values.begin() + std::ptrdiff_t(i * K.size()),
                values.begin() + std::ptrdiff_t((i + 1) * K.size()));
  return K;
}

bool accepted(const std::vector<std::vector<double>>& K) {
  return given_matrix_is_psd(Kernel::parse("precomputed"), numbered(K), 1);
}

// Of rank 3 in 40 rows: rounding makes some of the eigenvalues negative.
TEST(GivenMatrix, RoundingMakesNoMatrixIndefinite) {
  for (const char* kernel : {"linear", "rbf(gamma=0.001)", "poly(degree=2)"}) {
    auto K = gram(kernel, Points(random_rows(40, 3, 1)));
    EXPECT_TRUE(accepted(K)) << kernel;
    for (auto& row : K)
      for (double& k : row) k = double(float(k));
    EXPECT_TRUE(accepted(K)) << kernel << " in float32";
  }
  EXPECT_TRUE(accepted({{0, 0}, {0, 0}}));
}

TEST(GivenMatrix, WhatIsIndefiniteIsSeen) {
  EXPECT_FALSE(accepted({{1, 2}, {2, 1}}));
  EXPECT_FALSE(accepted({{1, 0.5}, {0.1, 1}}));  // not symmetric
  EXPECT_FALSE(accepted(gram("sigmoid(scale=1, offset=-1)", Points(random_rows(30, 3, 2)))));
  auto K = gram("rbf(gamma=1)", Points(random_rows(30, 3, 3)));
  for (std::size_t i = 0; i < K.size(); ++i) K[i][i] -= 0.5;
  EXPECT_FALSE(accepted(K));
}

TEST(GivenMatrix, IsOfThePrecomputedKernelAlone) {
  EXPECT_FALSE(given_matrix_is_psd(Kernel::parse("sigmoid"), numbered({{1, 0}, {0, 1}}), 1));
}

}  // namespace
}  // namespace mercer
