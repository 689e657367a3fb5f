#include "operators/pivoted_cholesky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

template <class T>
std::vector<double> what_is_left(const KernelOperator<T>& K, const PivotedCholesky<T>& found) {
  const std::size_t n = K.rows();
  std::vector<T> all(n * n);
  K.matrix(all);
  std::vector<double> left(all.begin(), all.end());
  for (std::size_t r = 0; r < found.rank; ++r)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        left[i * n + j] -= double(found.factor[r * n + i]) * double(found.factor[r * n + j]);
  return left;
}

template <class T>
void expect_factor(const KernelOperator<T>& K, const PivotedCholesky<T>& found, double tolerance) {
  const std::size_t n = K.rows();
  const std::vector<double> left = what_is_left(K, found);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += left[i * n + i];
  EXPECT_NEAR(found.trace_left, trace, tolerance * double(n));
  EXPECT_EQ(found.pivots.size(), found.rank);
  EXPECT_EQ(std::set<std::size_t>(found.pivots.begin(), found.pivots.end()).size(), found.rank);
  for (const std::size_t pivot : found.pivots)  // the columns of the pivots are exact
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(left[i * n + pivot], 0, tolerance) << pivot;
}

TEST(PivotedCholesky, ColumnsOfThePivotsAreExact) {
  const Points points = as_points(random_rows(101, 4, 3));
  for (const bool greedy : {false, true})
    for (const std::size_t rank : {1u, 17u, 60u, 500u}) {
      const KernelOperator<double> K(rbf({.gamma = 0.3}), points, {.threads = 1});
      const auto found = pivoted_cholesky(K, {.rank = rank, .greedy = greedy, .threads = 1});
      EXPECT_LE(found.rank, std::min<std::size_t>(rank, 101));
      EXPECT_GE(found.rank, std::min<std::size_t>(rank, 60));
      expect_factor(K, found, 1e-11);
      const KernelOperator<float> single(rbf({.gamma = 0.3}), points, {.threads = 1});
      expect_factor(single, pivoted_cholesky(single, {.rank = rank, .greedy = greedy, .threads = 1}), 1e-4);
    }
}

TEST(PivotedCholesky, EndsWhereTheRankIsReached) {
  const Points points = as_points(random_rows(150, 5, 4));
  const KernelOperator<double> K(linear(), points, {.threads = 1});
  for (const bool greedy : {false, true}) {
    const auto found = pivoted_cholesky(K, {.rank = 100, .greedy = greedy, .threads = 1});
    EXPECT_EQ(found.rank, 5u);
    EXPECT_LT(found.trace_left, 1e-11 * found.trace);
  }
  const KernelOperator<float> single(linear(), points, {.threads = 1});
  EXPECT_EQ(pivoted_cholesky(single, {.rank = 100, .threads = 1}).rank, 5u);
}

TEST(PivotedCholesky, StopsAtTheShareOrWhereItIsEnough) {
  const KernelOperator<double> K(rbf({.gamma = 0.1}), as_points(random_rows(300, 3, 5)), {.threads = 1});
  const auto share = pivoted_cholesky(K, {.rank = 300, .stop = 0.01, .threads = 1});
  EXPECT_LE(share.trace_left, 0.01 * share.trace);
  EXPECT_LT(share.rank, 200u);
  std::size_t asked = 0;
  const auto enough =
      pivoted_cholesky(K, {.rank = 300, .threads = 1, .enough = [&](std::size_t rank, double) {
                             ++asked;
                             return rank >= 40;
                           }});
  EXPECT_GE(enough.rank, 40u);
  EXPECT_LT(enough.rank, 100u);
  EXPECT_GT(asked, 1u);
}

TEST(PivotedCholesky, DrawsInProportionToTheDiagonal) {
  // A diagonal K with two heavy rows: they are nearly always among the first few pivots.
  std::vector<std::vector<double>> rows(40, std::vector<double>(40, 0.0));
  for (std::size_t i = 0; i < 40; ++i) rows[i][i] = i == 7 || i == 31 ? 30 : 1;
  const KernelOperator<double> K(linear(), Points(rows), {.threads = 1});
  int both = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto found = pivoted_cholesky(K, {.rank = 4, .seed = seed, .threads = 1});
    both += std::ranges::count(found.pivots, 7u) + std::ranges::count(found.pivots, 31u);
  }
  EXPECT_GE(both, 95);
  const auto greedy = pivoted_cholesky(K, {.rank = 2, .greedy = true, .threads = 1});
  EXPECT_EQ(greedy.pivots, (std::vector<std::size_t>{7, 31}));
}

TEST(PivotedCholesky, RejectsWhatIsExplainedAlready) {
  // Half of the points lie close together. Many of a block of proposals do, but after the first little is
  // left of them.
  std::vector<std::vector<double>> rows(100, std::vector<double>(51, 0.0));
  for (std::size_t i = 0; i < 100; ++i) {
    rows[i][i < 50 ? 50 : i - 50] = 1;
    if (i < 50) rows[i][i] = 1e-3;
  }
  const KernelOperator<double> K(linear(), Points(rows), {.threads = 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto found = pivoted_cholesky(K, {.rank = 16, .seed = seed, .threads = 1});
    EXPECT_LE(std::ranges::count_if(found.pivots, [](std::size_t pivot) { return pivot < 50; }), 2) << seed;
  }
}

TEST(PivotedCholesky, IsTheSameForAnyNumberOfThreads) {
  const KernelOperator<float> one(rbf({.gamma = 0.2}), as_points(random_rows(2500, 6, 6)), {.threads = 1});
  const auto a = pivoted_cholesky(one, {.rank = 50, .threads = 1}),
             b = pivoted_cholesky(one, {.rank = 50, .threads = 2});
  EXPECT_EQ(a.pivots, b.pivots);
  EXPECT_TRUE(std::equal(a.factor.begin(), a.factor.begin() + 50 * 2500, b.factor.begin()));
  EXPECT_NE(a.pivots, pivoted_cholesky(one, {.rank = 50, .seed = 2, .threads = 1}).pivots);
}

TEST(PivotedCholesky, SmallAndEqualPoints) {
  for (const std::size_t n : {1u, 2u, 3u}) {
    const KernelOperator<double> K(rbf({.gamma = 1}), as_points(random_rows(n, 2, 7)), {.threads = 1});
    EXPECT_EQ(pivoted_cholesky(K, {.rank = 10, .threads = 1}).rank, n);
    EXPECT_EQ(pivoted_cholesky(K, {.rank = 0, .threads = 1}).rank, 0u);
  }
  const KernelOperator<double> equal(rbf({.gamma = 1}), Points(std::vector<std::vector<double>>(30, {1, 2})),
                                     {.threads = 1});
  EXPECT_EQ(pivoted_cholesky(equal, {.rank = 10, .threads = 1}).rank, 1u);
  const KernelOperator<double> zero(linear(), Points(std::vector<std::vector<double>>(4, {0, 0})),
                                    {.threads = 1});
  EXPECT_EQ(pivoted_cholesky(zero, {.rank = 10, .threads = 1}).rank, 0u);
}

TEST(PivotedCholesky, CanBeStopped) {
  const Points points = as_points(random_rows(50, 2, 8));
  const KernelOperator<double> K(rbf({.gamma = 1}), points, {.threads = 1});
  try {
    pivoted_cholesky(K,
                     {.rank = 20, .progress = [](std::string_view, double) { return false; }, .threads = 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_THROW(pivoted_cholesky(KernelOperator<double>(rbf({.gamma = 1}), points, points), {.rank = 20}),
               Error);
}

}  // namespace
}  // namespace mercer
