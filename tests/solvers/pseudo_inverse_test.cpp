#include "solvers/pseudo_inverse.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

TEST(PseudoInverse, UndoesTheProduct) {
  const Points points = as_points(random_rows(40, 2, 1));
  const KernelOperator<double> K(rbf({.gamma = 1}), points, {.threads = 1});
  PseudoInverse inverse(K, 1);
  std::vector<double> s(40, 0.5);
  s[7] = 0;
  for (const std::size_t k : {1u, 3u}) {
    EXPECT_LT(inversion_error(inverse, rbf({.gamma = 1}), points, {}, 0.1, k), 1e-12);
    EXPECT_LT(inversion_error(inverse, rbf({.gamma = 1}), points, s, 0.1, k), 1e-12);
    EXPECT_EQ(inverse.dropped(), 0u);
  }
}

// The four conditions of Moore and Penrose come down to A A⁺ A = A and A⁺ being symmetric and of the rank of
// A.
TEST(PseudoInverse, IsOneWhereTheMatrixIsSingular) {
  auto rows = random_rows(20, 3, 2);
  for (std::size_t i = 0; i < 5; ++i) rows[10 + i] = rows[i];
  const Points points = as_points(rows);
  const KernelOperator<double> K(linear(), points, {.threads = 1});
  PseudoInverse inverse(K, 1);
  ASSERT_TRUE(inverse.prepare({}, 0));
  EXPECT_EQ(inverse.dropped(), 17u);
  EXPECT_EQ(inverse.words(), "all eigenvalues, 17 of 20 taken as 0");
  const std::vector<double> V = normal_numbers(20, 3), AV = system_product(linear(), points, {}, 0, V, 1);
  std::vector<double> back(20);
  inverse.apply(AV, 1, back);
  const std::vector<double> again = system_product(linear(), points, {}, 0, back, 1);
  // The solution of least norm has no part that A maps to 0: it is V's own projection.
  double inner = 0, squares = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(again[i], AV[i], 1e-10);
    inner += back[i] * V[i];
    squares += back[i] * back[i];
  }
  EXPECT_NEAR(inner, squares, 1e-10);
}

}  // namespace
}  // namespace mercer
