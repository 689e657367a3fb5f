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

}  // namespace
}  // namespace mercer
