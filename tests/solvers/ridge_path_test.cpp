// The path of prices against as many models as there are rows, each fitted without one of them, and against
// the hat matrix.
#include "solvers/ridge_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "elimination.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using testing::ridge_solution;

struct PathExample {
  Points points;
  KernelOperator<double> gram;
  std::vector<double> K, weights, s, Y;
  std::size_t outputs;

  PathExample(const Kernel& kernel, const Points& given, std::size_t count, bool weighted)
      : points(given),
        gram(kernel, points, {.threads = 1}),
        K(points.rows() * points.rows()),
        outputs(count) {
    Random random(5);
    gram.matrix(K);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      weights.push_back(weighted ? random.uniform(0.3, 3) : 1);
      s.push_back(std::sqrt(weights.back()));
      for (std::size_t o = 0; o < outputs; ++o)
        Y.push_back(std::sin(points.row(i)[0] + double(o)) + 0.3 * random.normal() + 2);
    }
  }
  std::size_t n() const { return weights.size(); }
  RidgePath path(bool bias, double smallest, int threads = 1) const {
    return {gram, s, Y, outputs, bias, {.smallest = smallest, .threads = threads}};
  }

  double refitted(double c, bool bias) const {
    double sum = 0, weight = 0;
    for (std::size_t out = 0; out < n(); ++out) {
      std::vector<double> K_rest, w_rest, Y_rest;
      for (std::size_t i = 0; i < n(); ++i) {
        if (i == out) continue;
        w_rest.push_back(weights[i]);
        for (std::size_t o = 0; o < outputs; ++o) Y_rest.push_back(Y[i * outputs + o]);
        for (std::size_t j = 0; j < n(); ++j)
          if (j != out) K_rest.push_back(K[i * n() + j]);
      }
      const auto [alpha, b] = ridge_solution(K_rest, w_rest, Y_rest, outputs, c, bias);
      for (std::size_t o = 0; o < outputs; ++o) {
        double error = Y[out * outputs + o] - b[o];
        for (std::size_t i = 0, row = 0; i < n(); ++i)
          if (i != out) error -= K[out * n() + i] * alpha[row++ * outputs + o];
        sum += weights[out] * error * error;
      }
      weight += weights[out];
    }
    return sum / (weight * double(outputs));
  }
  /// The predictions at the rows for each unit target: H, n × n.
  std::vector<double> hat(double c, bool bias) const {
    std::vector<double> unit(n() * n(), 0.0), H(n() * n());
    for (std::size_t i = 0; i < n(); ++i) unit[i * n() + i] = 1;
    const auto [alpha, b] = ridge_solution(K, weights, unit, n(), c, bias);
    for (std::size_t i = 0; i < n(); ++i)
      for (std::size_t j = 0; j < n(); ++j) {
        H[i * n() + j] = b[j];
        for (std::size_t l = 0; l < n(); ++l) H[i * n() + j] += K[i * n() + l] * alpha[l * n() + j];
      }
    return H;
  }
};

void expect_path(const PathExample& example, double smallest, std::initializer_list<double> penalties,
                 const std::string& words) {
  const std::size_t n = example.n(), outputs = example.outputs;
  for (const bool bias : {false, true}) {
    const RidgePath path = example.path(bias, smallest);
    EXPECT_NE(path.words().find(words), std::string::npos) << path.words();
    for (const double c : penalties) {
      SCOPED_TRACE((bias ? "with a constant, c = " : "alone, c = ") + std::to_string(c));
      const RidgePath::Point point = path.at(c);
      const double refitted = example.refitted(c, bias);
      EXPECT_NEAR(point.leave_one_out, refitted, 1e-7 * refitted);
      const std::vector<double> H = example.hat(c, bias);
      double trace = 0, errors = 0, weight = 0;
      for (std::size_t i = 0; i < n; ++i) {
        trace += H[i * n + i];
        weight += example.weights[i];
        for (std::size_t o = 0; o < outputs; ++o) {
          double error = example.Y[i * outputs + o];
          for (std::size_t j = 0; j < n; ++j) error -= H[i * n + j] * example.Y[j * outputs + o];
          errors += example.weights[i] * error * error;
        }
      }
      EXPECT_NEAR(point.degrees_of_freedom, trace, 1e-7 * double(n));
      const double left = 1 - trace / double(n),
                   generalised = errors / (weight * double(outputs)) / (left * left);
      EXPECT_NEAR(point.generalised, generalised, 1e-6 * generalised);
    }
  }
}

TEST(RidgePath, IsWhatRefittingWithoutEachRowSays) {
  const Points points = as_points(random_rows(40, 3, 1));
  for (const bool weighted : {false, true})
    for (const std::size_t outputs : {1u, 2u})
      expect_path({rbf({.gamma = 1}), points, outputs, weighted}, 1e-3, {1e-3, 0.1, 10}, "a band form");
}

TEST(RidgePath, OfLowRankToo) {
  const Points points = as_points(random_rows(51, 4, 2));
  for (const bool weighted : {false, true}) {
    expect_path({linear(), points, 2, weighted}, 1e-2, {0.1}, "rank 4 ");
    expect_path({Kernel::parse("poly(degree=2, offset=1)"), as_points(random_rows(51, 3, 3)), 1, weighted},
                1e-2, {0.1}, "rank 10 ");
  }
  auto repeated = random_rows(12, 3, 4);
  for (std::size_t i = 0; i < 39; ++i) repeated.push_back(repeated[i % 12]);
  expect_path({rbf({.gamma = 1}), as_points(repeated), 1, true}, 1e-2, {1e-2}, "rank 12 ");
}

TEST(RidgePath, DegreesOfFreedomAreATrace) {
  const PathExample example(rbf({.gamma = 1}), as_points(random_rows(30, 3, 6)), 1, false);
  const RidgePath path = example.path(false, 1e-3);
  double before = 31;
  for (const double c : {1e-3, 0.1, 1.0, 100.0}) {
    std::vector<double> A = example.K, unit(30 * 30, 0.0);
    for (std::size_t i = 0; i < 30; ++i) A[i * 31] += c, unit[i * 31] = 1;
    const std::vector<double> inverse = testing::eliminate(A, unit, 30);
    double trace = 0;
    for (std::size_t e = 0; e < 900; ++e) trace += example.K[e] * inverse[e];  // both symmetric
    EXPECT_NEAR(path.at(c).degrees_of_freedom, trace, 1e-9 * 30);
    EXPECT_LT(trace, before);
    before = trace;
  }
}

// From the eigenvectors, which rows left out together need, and from the band form.
TEST(RidgePath, IsTheSameFromEigenvectors) {
  const PathExample example(rbf({.gamma = 1}), as_points(random_rows(150, 3, 6)), 2, true);
  const std::vector<double> penalties{1e-4, 0.1, 30};
  for (const bool bias : {false, true}) {
    const RidgePath band = example.path(bias, 1e-4),
                    eigen(example.gram, example.s, example.Y, 2, bias, {.smallest = 1e-4, .folds = true});
    EXPECT_EQ(eigen.words(), "all 150 eigenvalues of K");
    const auto found = band.at(penalties), wanted = eigen.at(penalties);
    for (std::size_t p = 0; p < penalties.size(); ++p) {
      EXPECT_NEAR(found[p].leave_one_out, wanted[p].leave_one_out, 1e-6 * wanted[p].leave_one_out);
      EXPECT_NEAR(found[p].generalised, wanted[p].generalised, 1e-6 * wanted[p].generalised);
      EXPECT_NEAR(found[p].degrees_of_freedom, wanted[p].degrees_of_freedom, 1e-7 * 150);
    }
  }
}

// Of many rows the band form is in float32: errors of the rows of either sign, and a mean that is good.
TEST(RidgePath, OfManyRowsIsGoodInTheMean) {
  const PathExample example(Kernel::parse("rbf(gamma=0.1)"), as_points(random_rows(1200, 10, 7)), 1, true);
  const double smallest = 1e-6;
  const RidgePath band = example.path(true, smallest),
                  eigen(example.gram, example.s, example.Y, 1, true, {.smallest = smallest, .folds = true});
  EXPECT_EQ(band.words(), "a band form of K in float32");
  const std::vector<double> penalties{smallest, 1e-3, 1, 1000};
  const auto found = band.at(penalties), wanted = eigen.at(penalties);
  for (std::size_t p = 0; p < penalties.size(); ++p) {
    EXPECT_NEAR(found[p].leave_one_out, wanted[p].leave_one_out, 2e-4 * wanted[p].leave_one_out);
    EXPECT_NEAR(found[p].generalised, wanted[p].generalised, 2e-4 * wanted[p].generalised);
    EXPECT_NEAR(found[p].degrees_of_freedom, wanted[p].degrees_of_freedom, 1e-5 * 1200);
  }
}

// The solution of the whole system, for a fit that goes on from it.
TEST(RidgePath, HasTheSolutionOfAPenalty) {
  for (const Kernel& kernel : {Kernel(linear()), Kernel(rbf({.gamma = 1}))}) {
    const PathExample example(kernel, as_points(random_rows(60, 3, 8)), 2, true);
    const RidgePath path = example.path(true, 0.1);
    const std::vector<double> X = path.solution(0.1, 1e-10);
    const auto [alpha, b] = ridge_solution(example.K, example.weights, example.Y, 2, 0.1, true);
    for (std::size_t i = 0; i < 60; ++i)
      for (std::size_t o = 0; o < 2; ++o)
        EXPECT_NEAR(example.s[i] * (X[3 * i + o] - b[o] * X[3 * i + 2]), alpha[2 * i + o], 1e-7);
  }
}

TEST(RidgePath, SmallSizes) {
  for (const std::size_t n : {1u, 2u, 3u}) {
    const PathExample example(rbf({.gamma = 1}), as_points(random_rows(n, 3, 7)), 1, true);
    const double c = 0.3;
    EXPECT_NEAR(example.path(false, 0.1).at(c).leave_one_out, example.refitted(c, false),
                1e-12 * example.refitted(c, false));
    if (n > 1) {
      EXPECT_NEAR(example.path(true, 0.1).at(c).leave_one_out, example.refitted(c, true),
                  1e-12 * example.refitted(c, true));
    }
  }
}

TEST(RidgePath, OfAKernelThatIsZeroThePathIsFlat) {
  const std::vector<std::vector<double>> rows(60, std::vector<double>(3, 0.0));
  const PathExample example(linear(), as_points(rows), 1, false);
  double mean_square = 0;
  for (const double y : example.Y) mean_square += y * y / 60;
  const RidgePath::Point point = example.path(false, 1e-3).at(0.5);
  EXPECT_NEAR(point.leave_one_out, mean_square, 1e-12 * mean_square);
  EXPECT_NEAR(point.generalised, mean_square, 1e-12 * mean_square);
  EXPECT_NEAR(point.degrees_of_freedom, 0, 1e-12);
}

TEST(RidgePath, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Kernel& kernel : {Kernel(linear()), Kernel(rbf({.gamma = 2}))}) {
    const PathExample example(kernel, as_points(random_rows(300, 4, 8)), 2, true);
    const RidgePath::Point one = example.path(true, 1e-3, 1).at(0.1),
                           two = example.path(true, 1e-3, 2).at(0.1);
    EXPECT_EQ(one.leave_one_out, two.leave_one_out);
    EXPECT_EQ(one.generalised, two.generalised);
    EXPECT_EQ(one.degrees_of_freedom, two.degrees_of_freedom);
  }
}

TEST(RidgePath, SaysWhenTheMemoryDoesNotSuffice) {
  const PathExample example(rbf({.gamma = 2}), as_points(random_rows(100, 4, 9)), 1, false);
  try {
    RidgePath(example.gram, example.s, example.Y, 1, false, {.smallest = 1e-6, .memory = 1000});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::budget);
    EXPECT_NE(std::string(error.what()).find("the eigenvalues of 100 rows take"), std::string::npos)
        << error.what();
  }
}

TEST(RidgePath, CanBeStopped) {
  const PathExample example(linear(), as_points(random_rows(100, 4, 9)), 1, false);
  const auto refuse = [](std::string_view, double) { return false; };
  EXPECT_THROW(
      RidgePath(example.gram, example.s, example.Y, 1, false, {.smallest = 1e-3, .progress = refuse}), Error);
}

// Rows left out together against fits of the others alone, by elimination.

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
    return {gram,    s,    Y,
            outputs, bias, {.smallest = smallest, .rank = rank, .folds = true, .threads = threads}};
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

Points some_points(std::size_t n) {
  Random random(n);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back({random.normal(), random.normal()});
  return Points(rows);
}

TEST(DegreesOfFreedom, AreThoseOfThePath) {
  for (const std::size_t n : {1u, 2u, 13u, 40u})
    for (const bool bias : {false, true}) {
      const Points points = some_points(n);
      const Kernel kernel = Kernel::parse("rbf(gamma=1)");
      std::vector<double> s(n), y(n, 1.0);
      Random random(2);
      for (double& root : s) root = random.uniform(0.5, 2);
      const KernelOperator<double> K(kernel, points);
      const RidgePath path(K, s, y, 1, bias, {.smallest = 1e-6});
      for (const double c : {1e-3, 0.5, 20.0})
        EXPECT_NEAR(*degrees_of_freedom(kernel, points, s, c, bias, 1), path.at(c).degrees_of_freedom,
                    1e-8 * double(n))
            << n;
    }
}

// Of the linear kernel of one column: Σx²/(Σx² + c).
TEST(DegreesOfFreedom, OfOneColumnAreAShare) {
  const Points points(std::vector<std::vector<double>>{{1}, {2}, {3}});
  const std::vector<double> ones(3, 1.0);
  EXPECT_NEAR(*degrees_of_freedom(Kernel::parse("linear"), points, ones, 2, false, 1), 14.0 / 16, 1e-14);
}

TEST(DegreesOfFreedom, AreNotAskedForWhereTheyCostMoreThanTheFit) {
  const std::vector<double> ones(1501, 1.0);
  EXPECT_FALSE(degrees_of_freedom(Kernel::parse("linear"), some_points(1501), ones, 1, false, 1));
  EXPECT_FALSE(
      degrees_of_freedom(Kernel::parse("linear"), some_points(3), std::vector<double>(3, 1.0), 0, false, 1));
}

}  // namespace
}  // namespace mercer
