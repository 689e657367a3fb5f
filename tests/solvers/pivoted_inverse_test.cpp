#include "solvers/pivoted_inverse.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

PivotedInverseOptions options(std::size_t n, std::size_t rank) {
  return {.most_rank = rank, .threads = 1, .costs = {.n = n, .features = 3}};
}

TEST(PivotedInverse, IsExactAtFullRank) {
  const Points points = as_points(random_rows(60, 3, 1));
  const KernelOperator<double> K(rbf({.gamma = 1}), points, {.threads = 1});
  const Progress progress;
  PivotedInverseOptions all = options(60, 60);
  all.costs.n = 100'000;  // iterations are dear: every rank pays
  PivotedInverse inverse(K, all, progress);
  std::vector<double> s(60, 0.7);
  s[5] = 0;
  // A ridge so small that float32 would not do for the small matrix.
  EXPECT_LT(inversion_error(inverse, rbf({.gamma = 1}), points, {}, 1e-5, 2), 1e-8);
  EXPECT_LT(inversion_error(inverse, rbf({.gamma = 1}), points, s, 1e-5, 1), 1e-8);
  EXPECT_EQ(inverse.rank(), 60u);
}

TEST(PivotedInverse, TakesTheRankThatPays) {
  const Points points = as_points(random_rows(500, 2, 2));
  const KernelOperator<double> K(rbf({.gamma = 0.1}), points, {.threads = 1});
  const Progress progress;
  PivotedInverse large(K, options(500, 500), progress), little(K, options(500, 500), progress);
  ASSERT_TRUE(large.prepare({}, 1e-3));
  ASSERT_TRUE(little.prepare({}, 10));
  EXPECT_LT(little.rank(), 200u);
  EXPECT_LE(little.rank(), large.rank());
  EXPECT_GT(little.expected_seconds(), 0);
  const std::size_t before = little.rank();
  ASSERT_TRUE(little.prepare({}, 1e-3));  // a much smaller ridge needs a new factor
  EXPECT_GE(little.rank(), before);
  ASSERT_TRUE(little.prepare({}, 0));
  EXPECT_NE(little.words().find("of rank"), std::string::npos);
}

}  // namespace
}  // namespace mercer
