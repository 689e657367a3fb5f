#include "solvers/inverse.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mercer {
namespace {

// B = diag(s)(I − uuᵀ), written out for one row of two outputs.
TEST(RowFactors, MultiplyByBAndItsTransposed) {
  const std::vector<double> s{2, 3}, u{0.6, 0.8};
  const double B[2][2] = {{2 * (1 - 0.36), -2 * 0.48}, {-3 * 0.48, 3 * (1 - 0.64)}};
  const RowFactors factors(s, u, 2);
  std::vector<double> V{1, 10, 4, -5};  // two right-hand sides: (1, 4) and (10, −5)
  const std::vector<double> before = V;
  factors.apply(V, 2);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t o = 0; o < 2; ++o)
      EXPECT_NEAR(V[o * 2 + j], B[o][0] * before[j] + B[o][1] * before[2 + j], 1e-14);
  V = before;
  factors.apply_transposed(V, 2);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t o = 0; o < 2; ++o)
      EXPECT_NEAR(V[o * 2 + j], B[0][o] * before[j] + B[1][o] * before[2 + j], 1e-14);
}

TEST(RowFactors, TakeEachRowByItself) {
  const std::vector<double> s{1, 2, 3}, u{0, 0, 0};
  std::vector<double> V{1, 1, 1};
  RowFactors(s, u, 1).apply(V, 1);
  EXPECT_EQ(V, s);
}

}  // namespace
}  // namespace mercer
