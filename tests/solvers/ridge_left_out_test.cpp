// Rows left out together against fits of the others alone, by elimination.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elimination.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {
namespace {

struct Problem {
  KernelOperator<double> gram;
  std::size_t n, outputs;
  std::vector<double> K, weights, s, Y;

  Problem(const Kernel& kernel, const Points& points, std::size_t count, bool weighted)
      : gram(kernel, points, {.threads = 1}), n(points.rows()), outputs(count), K(n * n) {
    Random random(3);
    gram.matrix(K);
    for (std::size_t i = 0; i < n; ++i) {
      weights.push_back(weighted ? random.uniform(0.3, 3) : 1);
      s.push_back(std::sqrt(weights.back()));
      for (std::size_t o = 0; o < outputs; ++o)
        Y.push_back(std::sin(2 * points.row(i)[0] + double(o)) + 0.2 * random.normal() + 3);
    }
  }
  RidgePath path(bool bias, double smallest, std::size_t rank = 0, int threads = 1) const {
    return {gram, s, Y, outputs, bias, {.smallest = smallest, .rank = rank, .threads = threads}};
  }
  /// What the rows outside say, with c on the diagonal and K as given.
  std::vector<double> refitted(const std::vector<double>& matrix, const std::vector<std::size_t>& out,
                               double c, bool bias) const {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < n; ++i)
      if (std::ranges::find(out, i) == out.end()) rest.push_back(i);
    std::vector<double> K_rest, w_rest, Y_rest, said;
    for (const std::size_t i : rest) {
      w_rest.push_back(weights[i]);
      for (std::size_t o = 0; o < outputs; ++o) Y_rest.push_back(Y[i * outputs + o]);
      for (const std::size_t j : rest) K_rest.push_back(matrix[i * n + j]);
    }
    const auto [alpha, b] = testing::ridge_solution(K_rest, w_rest, Y_rest, outputs, c, bias);
    for (const std::size_t i : out)
      for (std::size_t o = 0; o < outputs; ++o) {
        said.push_back(b[o]);
        for (std::size_t j = 0; j < rest.size(); ++j)
          said.back() += matrix[i * n + rest[j]] * alpha[j * outputs + o];
      }
    return said;
  }
};

void expect_near(const std::vector<double>& is, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(is.size(), wanted.size());
  for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(is[e], wanted[e], tolerance);
}

void expect_refitted(const Problem& problem, double smallest, const std::string& words, double tolerance) {
  const std::vector<double> penalties{smallest, 0.1, 3};
  for (const bool bias : {false, true}) {
    const RidgePath path = problem.path(bias, smallest);
    EXPECT_NE(path.words().find(words), std::string::npos) << path.words();
    for (const std::vector<std::size_t>& out :
         {std::vector<std::size_t>{5}, {0, 1}, {2, 30, 9}, {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25}}) {
      const auto said = path.left_out(out, path.at_penalties(penalties));
      ASSERT_EQ(said.size(), penalties.size());
      for (std::size_t p = 0; p < penalties.size(); ++p) {
        SCOPED_TRACE(std::to_string(out.size()) + " rows, c = " + std::to_string(penalties[p]) +
                     (bias ? ", with a constant" : ""));
        expect_near(said[p], problem.refitted(problem.K, out, penalties[p], bias), tolerance);
      }
    }
  }
}

TEST(RidgeLeftOut, IsWhatAFitOfTheOthersSays) {
  const Points points = as_points(random_rows(40, 3, 1));
  for (const bool weighted : {false, true})
    for (const std::size_t outputs : {1u, 2u})
      expect_refitted({rbf({.gamma = 1}), points, outputs, weighted}, 1e-3, "all 40 eigenvalues", 1e-8);
}

TEST(RidgeLeftOut, OfLowRankTooByFewerOrMoreRowsThanTheRank) {
  for (const bool weighted : {false, true}) {
    expect_refitted({linear(), as_points(random_rows(51, 4, 2)), 2, weighted}, 1e-2, "rank 4 ", 1e-8);
    expect_refitted(
        {Kernel::parse("poly(degree=2, offset=1)"), as_points(random_rows(51, 3, 3)), 1, weighted}, 1e-2,
        "rank 10 ", 1e-8);
  }
}

// Of a bounded rank K is FFᵀ, and what is left of the diagonal of SKS, in the mean, is a part of c. By single
// rows, by blocks of fewer rows than the rank, and of more.
TEST(RidgeLeftOut, OfABoundedRankCountsTheRestAsNoise) {
  const Points points = as_points(random_rows(60, 3, 4));
  for (const bool weighted : {false, true}) {
    const Problem problem(Kernel::parse("matern(nu=0.5, length=1)"), points, 2, weighted);
    const auto factor = pivoted_cholesky(problem.gram, {.rank = 20, .seed = 1, .threads = 1});
    ASSERT_EQ(factor.rank, 20u);
    std::vector<double> low(60 * 60, 0.0);
    double rest = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t j = 0; j < 60; ++j)
        for (std::size_t r = 0; r < 20; ++r)
          low[i * 60 + j] += factor.factor[r * 60 + i] * factor.factor[r * 60 + j];
      rest += problem.weights[i] * (1 - low[i * 61]) / 60;
    }
    EXPECT_GT(rest, 0.01);
    for (const bool bias : {false, true}) {
      const RidgePath path = problem.path(bias, 1e-3, 20), two = problem.path(bias, 1e-3, 20, 2);
      EXPECT_EQ(path.words(), "20 columns of K, the rest of its diagonal as noise");
      // 60 rows are not more than twice 30.
      EXPECT_EQ(problem.path(bias, 1e-3, 30).words(), "all 60 eigenvalues of K");
      for (const std::size_t count : {1u, 2u, 20u, 21u, 45u}) {
        std::vector<std::size_t> out(count);
        for (std::size_t e = 0; e < count; ++e) out[e] = (7 * e + 3) % 60;
        const std::vector<double> penalties{1e-3, 0.2};
        const auto said = path.left_out(out, path.at_penalties(penalties));
        EXPECT_EQ(said, two.left_out(out, two.at_penalties(penalties)));
        for (std::size_t p = 0; p < 2; ++p)
          expect_near(said[p], problem.refitted(low, out, penalties[p] + rest, bias), 1e-8);
      }
      double errors = 0, weight = 0;
      for (std::size_t i = 0; i < 60; ++i) {
        const std::vector<double> said =
            path.left_out(std::vector{i}, path.at_penalties(std::vector{0.05}))[0];
        for (std::size_t o = 0; o < 2; ++o)
          errors += problem.weights[i] * std::pow(said[o] - problem.Y[2 * i + o], 2);
        weight += problem.weights[i];
      }
      EXPECT_NEAR(path.at(0.05).leave_one_out, errors / (2 * weight), 1e-9);
    }
  }
}

TEST(RidgeLeftOut, OfALowerRankTheBoundChangesNothing) {
  const Problem problem(linear(), as_points(random_rows(60, 3, 5)), 1, true);
  const std::vector<std::size_t> out{1, 2};
  const auto said = [&](const RidgePath& path) {
    return path.left_out(out, path.at_penalties(std::vector{0.1}));
  };
  EXPECT_EQ(said(problem.path(true, 1e-2, 20)), said(problem.path(true, 1e-2)));
}

TEST(RidgeLeftOut, SmallSizes) {
  for (const std::size_t n : {1u, 2u, 3u}) {
    const Problem problem(rbf({.gamma = 1}), as_points(random_rows(n, 2, 6)), 1, true);
    const std::vector<double> penalties{0.3};
    const RidgePath alone = problem.path(false, 0.1);
    EXPECT_TRUE(alone.left_out({}, alone.at_penalties(penalties))[0].empty());
    for (std::size_t out = 0; out < n; ++out)
      for (const bool bias : {false, true}) {
        if (bias && n == 1) continue;
        const RidgePath path = problem.path(bias, 0.1);
        const double said = path.left_out(std::vector{out}, path.at_penalties(penalties))[0][0];
        EXPECT_NEAR(said, n == 1 ? 0 : problem.refitted(problem.K, {out}, 0.3, bias)[0], 1e-10);
      }
  }
}

TEST(RidgeLeftOut, SaysWhenNothingIsLeft) {
  const Problem problem(rbf({.gamma = 1}), as_points(random_rows(3, 2, 7)), 1, false);
  try {
    const RidgePath path = problem.path(true, 0.1);
    path.left_out(std::vector<std::size_t>{0, 1, 2}, path.at_penalties(std::vector{0.3}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(
        error.what(),
        "the other rows say nothing about the held-out ones; hold out fewer rows, or give a larger penalty");
  }
}

}  // namespace
}  // namespace mercer
