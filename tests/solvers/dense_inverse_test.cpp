#include "solvers/dense_inverse.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

TEST(DenseInverse, UndoesTheProduct) {
  const Progress progress;
  for (const std::size_t n : {1u, 2u, 70u}) {
    const Points points = as_points(random_rows(n, 2, n));
    const KernelOperator<float> single(rbf({.gamma = 1}), points, {.threads = 1});
    const KernelOperator<double> exact(rbf({.gamma = 1}), points, {.threads = 1});
    DenseInverse<float> rough(single, 1, progress);
    DenseInverse<double> fine(exact, 1, progress);
    std::vector<double> s(n, 0.5);
    s[0] = 0;
    for (const std::size_t k : {1u, 3u})
      for (const double c : {1.0, 0.1}) {
        EXPECT_LT(inversion_error(rough, rbf({.gamma = 1}), points, {}, c, k), 1e-3);
        EXPECT_LT(inversion_error(rough, rbf({.gamma = 1}), points, s, c, k), 1e-3);
        EXPECT_LT(inversion_error(fine, rbf({.gamma = 1}), points, {}, c, k), 1e-11);
        EXPECT_LT(inversion_error(fine, rbf({.gamma = 1}), points, s, c, k), 1e-11);
      }
  }
}

TEST(DenseInverse, SmallNumbersDoNotVanishInFloat32) {
  const Points points = as_points(random_rows(20, 2, 1));
  const KernelOperator<float> K(rbf({.gamma = 1}), points, {.threads = 1});
  const Progress progress;
  DenseInverse<float> inverse(K, 1, progress);
  ASSERT_TRUE(inverse.prepare({}, 1));
  std::vector<double> V(20, 1e-60), out(20);
  inverse.apply(V, 1, out);
  EXPECT_GT(out[0], 1e-63);
}

TEST(DenseInverse, SaysWhereKIsSingular) {
  auto rows = random_rows(30, 2, 2);
  rows[20] = rows[3];
  const KernelOperator<double> K(rbf({.gamma = 1}), as_points(rows), {.threads = 1});
  const Progress progress;
  DenseInverse<double> inverse(K, 1, progress);
  EXPECT_FALSE(inverse.prepare({}, 0));
  EXPECT_TRUE(inverse.prepare({}, 0.1));
  EXPECT_FALSE(inverse.prepare({}, 0));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {  // the last pivot is rounding, of either sign
    std::vector<double> s = normal_numbers(30, seed);
    for (double& value : s) value = 1 + std::abs(value);
    EXPECT_FALSE(inverse.prepare(s, 0)) << seed;
  }
}

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
