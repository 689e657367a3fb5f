#include "solvers/linear_coordinate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Table = std::vector<std::vector<double>>;

BoxQp classification(const std::vector<double>& y, const std::vector<double>& C) {
  BoxQp problem;
  for (std::size_t i = 0; i < y.size(); ++i) {
    problem.points.push_back(std::int32_t(i));
    problem.linear.push_back(-y[i]);
    problem.lower.push_back(y[i] > 0 ? 0 : -C[i]);
    problem.upper.push_back(y[i] > 0 ? C[i] : 0);
  }
  return problem;
}

BoxQp classification(const std::vector<double>& y, double C) {
  return classification(y, std::vector<double>(y.size(), C));
}

BoxQp regression(const std::vector<double>& z, double C, double epsilon) {
  BoxQp problem;
  for (const double sign : {1.0, -1.0})
    for (std::size_t i = 0; i < z.size(); ++i) {
      problem.points.push_back(std::int32_t(i));
      problem.linear.push_back(sign * epsilon - z[i]);
      problem.lower.push_back(sign > 0 ? 0 : -C);
      problem.upper.push_back(sign > 0 ? C : 0);
    }
  return problem;
}

/// A hyperplane's values at the rows, with noise.
std::vector<double> planted(const Table& rows, double noise, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> plane(rows.empty() ? 0 : rows[0].size());
  for (double& value : plane) value = random.normal();
  std::vector<double> z;
  for (const auto& row : rows)
    z.push_back(std::inner_product(row.begin(), row.end(), plane.begin(), 0.3) + noise * random.normal());
  return z;
}

std::vector<double> signs(std::vector<double> z) {
  for (double& value : z) value = value > 0 ? 1 : -1;
  return z;
}

/// The gradient by a double loop over variables, nothing taken from the solver.
std::vector<double> gradient(const BoxQp& problem, const Table& rows, const std::vector<double>& beta) {
  std::vector<double> G = problem.linear;
  for (std::size_t v = 0; v < beta.size(); ++v)
    for (std::size_t u = 0; u < beta.size(); ++u) {
      const auto &a = rows[std::size_t(problem.points[v])], &b = rows[std::size_t(problem.points[u])];
      G[v] += beta[u] * std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
  return G;
}

double linear_objective(const BoxQp& problem, const Table& rows, const std::vector<double>& beta) {
  const auto G = gradient(problem, rows, beta);
  double value = 0;
  for (std::size_t v = 0; v < beta.size(); ++v) value += beta[v] * (G[v] + problem.linear[v]) / 2;
  return value;
}

double violation(const BoxQp& problem, const Table& rows, const std::vector<double>& beta, bool bias) {
  const auto G = gradient(problem, rows, beta);
  double up = -INFINITY, down = INFINITY;
  for (std::size_t v = 0; v < beta.size(); ++v) {
    if (beta[v] < problem.upper[v]) up = std::max(up, -G[v]);
    if (beta[v] > problem.lower[v]) down = std::min(down, -G[v]);
  }
  return bias ? std::max(0.0, up - down) : std::max({0.0, up, -down});
}

/// Exact minimisation over every pair (every variable without a bias) again and again.
std::vector<double> reference(const BoxQp& problem, const Table& rows, bool bias) {
  const std::size_t n = problem.size();
  std::vector<std::vector<double>> K(n, std::vector<double>(n));
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t u = 0; u < n; ++u) {
      const auto &a = rows[std::size_t(problem.points[v])], &b = rows[std::size_t(problem.points[u])];
      K[v][u] = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
  std::vector<double> beta = problem.start.empty() ? std::vector<double>(n) : problem.start;
  std::vector<double> G = gradient(problem, rows, beta);
  for (double largest = 1; largest > 1e-12;) {
    largest = 0;
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t u = 0; u < (bias ? v : 1); ++u) {
        const double slope = G[v] - (bias ? G[u] : 0);
        const double curvature = std::max(1e-12, bias ? K[v][v] + K[u][u] - 2 * K[v][u] : K[v][v]);
        double step = std::clamp(-slope / curvature, problem.lower[v] - beta[v], problem.upper[v] - beta[v]);
        if (bias) step = std::clamp(step, beta[u] - problem.upper[u], beta[u] - problem.lower[u]);
        beta[v] += step;
        if (bias) beta[u] -= step;
        for (std::size_t t = 0; t < n; ++t) G[t] += step * (K[t][v] - (bias ? K[t][u] : 0));
        largest = std::max(largest, std::abs(step * slope));
      }
  }
  return beta;
}

void expect_consistent(const BoxQp& problem, const Table& rows, const LinearSolution& found,
                       const LinearOptions& options) {
  double sum = 0, magnitude = 0;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    ASSERT_TRUE(problem.lower[v] <= found.beta[v] && found.beta[v] <= problem.upper[v])
        << v << ' ' << found.beta[v];
    sum += found.beta[v] - (problem.start.empty() ? 0 : problem.start[v]);
    magnitude += std::abs(found.beta[v]);
  }
  EXPECT_LE(options.bias ? std::abs(sum) : 0, 1e-14 * magnitude);
  ASSERT_EQ(found.f.size(), rows.size());
  std::vector<double> w(found.weights.size());
  for (std::size_t v = 0; v < problem.size(); ++v)
    for (std::size_t k = 0; k < w.size(); ++k)
      w[k] += found.beta[v] * rows[std::size_t(problem.points[v])][k];
  double scale = 1e-300;  // of what is summed up, which may cancel
  for (std::size_t k = 0; k < w.size(); ++k) {
    double terms = 0;
    for (std::size_t v = 0; v < problem.size(); ++v)
      terms += std::abs(found.beta[v] * rows[std::size_t(problem.points[v])][k]);
    scale = std::max(scale, terms);
  }
  for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(found.weights[k], w[k], 1e-12 * scale);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double f = std::inner_product(rows[i].begin(), rows[i].end(), found.weights.begin(), 0.0);
    EXPECT_NEAR(found.f[i], f, 1e-12 * (1e-300 + std::abs(f) + scale));
  }
  EXPECT_TRUE(std::isfinite(found.rho) && std::isfinite(found.violation));
  EXPECT_TRUE(options.bias || found.rho == 0);
}

LinearSolution expect_solved(const BoxQp& problem, const Table& rows, const LinearOptions& options,
                             Kind kind = Kind::dense64) {
  const LinearSolution found = solve_linear(problem, as_points(rows, kind), options);
  EXPECT_TRUE(found.converged) << found.violation << " after " << found.passes;
  expect_consistent(problem, rows, found, options);
  const double measured = violation(problem, rows, found.beta, options.bias);
  EXPECT_LE(measured, options.tolerance * (1 + 1e-9));
  EXPECT_NEAR(measured, found.violation, 1e-9 * (1 + measured));
  return found;
}

struct Case {
  std::string name;
  Table rows;
  BoxQp problem;
};

std::vector<Case> cases() {
  const Table narrow = random_rows(24, 4, 1), wide = random_rows(20, 30, 2),
              shifted = random_rows(24, 4, 3, false, 3);
  std::vector<double> weighted(narrow.size(), 1.0);
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] = double(i % 4) * 0.5;  // some are 0
  auto one_class = classification(std::vector<double>(narrow.size(), 1), 1);
  std::ranges::fill(one_class.linear, 0.0);
  one_class.start.assign(narrow.size(), 0.0);
  std::fill_n(one_class.start.begin(), 7, 1.0);
  return {{"narrow", narrow, classification(signs(planted(narrow, 1, 4)), 1)},
          {"wide, separable", wide, classification(signs(planted(wide, 0.1, 5)), 10)},
          {"shifted", shifted, classification(signs(planted(shifted, 3, 6)), 0.1)},
          {"small C", narrow, classification(signs(planted(narrow, 1, 4)), 1e-4)},
          {"weighted", narrow, classification(signs(planted(narrow, 1, 7)), weighted)},
          {"regression", narrow, regression(planted(narrow, 0.5, 8), 1, 0.1)},
          {"regression, no tube", wide, regression(planted(wide, 0.5, 9), 0.5, 0)},
          {"one-class, a sum of 7", narrow, one_class}};
}

TEST(LinearCoordinate, FindsTheMinimumOfTheReference) {
  for (const Case& c : cases())
    for (const bool bias : {true, false}) {
      if (!bias && !c.problem.start.empty()) continue;
      SCOPED_TRACE(c.name + (bias ? ", bias" : ", no bias"));
      const double best = linear_objective(c.problem, c.rows, reference(c.problem, c.rows, bias));
      for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
        const auto found = expect_solved(c.problem, c.rows, {.tolerance = 1e-7, .bias = bias}, kind);
        EXPECT_NEAR(linear_objective(c.problem, c.rows, found.beta), best,
                    1e-6 * std::max(1e-3, std::abs(best)));
      }
    }
}

// Of both halves of a row as one variable, whatever comes first and however its bounds differ.
TEST(LinearCoordinate, FindsTheMinimumOfRegressionOfEveryShape) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 2 + random.below(20), d = 1 + random.below(12);
    const Table rows = random_rows(n, d, std::uint64_t(round), false, random.uniform(0, 2));
    const auto z = planted(rows, 0.5, std::uint64_t(round));
    const double epsilon = round % 3 == 0 ? 0 : random.uniform(0, 1), C = std::pow(10, random.uniform(-2, 1));
    BoxQp problem;
    for (std::size_t i = 0; i < n; ++i) {
      const double up = round % 4 == 0 && i % 3 == 0 ? 0 : C * random.uniform(0.5, 2), down = -C;
      const bool first = random.uniform() < 0.5;
      if (first) problem.add(i, epsilon - z[i], 0, up);
      problem.add(i, -epsilon - z[i], down, 0);
      if (!first) problem.add(i, epsilon - z[i], 0, up);
    }
    if (round % 5 == 0) {  // both halves of a row away from 0
      problem.start.assign(problem.size(), 0);
      const bool first = problem.upper[0] > 0;
      problem.start[first ? 0 : 1] = problem.upper[first ? 0 : 1] / 2;
      problem.start[first ? 1 : 0] = -problem.start[first ? 0 : 1] / 4;
    }
    for (const bool bias : {true, false}) {
      if (!bias && !problem.start.empty()) continue;
      SCOPED_TRACE(std::to_string(round) + (bias ? ", bias" : ", no bias"));
      const double best = linear_objective(problem, rows, reference(problem, rows, bias));
      const auto found =
          expect_solved(problem, rows, {.tolerance = 1e-7, .bias = bias, .max_passes = 2'000'000});
      EXPECT_NEAR(linear_objective(problem, rows, found.beta), best, 1e-6 * std::max(1e-3, std::abs(best)));
    }
  }
}

TEST(LinearCoordinate, EndsSoonerForALooserTolerance) {
  const Case c = cases()[0];
  const auto loose = expect_solved(c.problem, c.rows, {.tolerance = 0.5});
  EXPECT_LT(loose.passes, expect_solved(c.problem, c.rows, {.tolerance = 1e-6}).passes);
}

TEST(LinearCoordinate, GivesTheSameBitsAgainAndForFloatsThatAreTheSameNumbers) {
  const Case c = cases()[0];
  const auto first = solve_linear(c.problem, as_points(c.rows)),
             again = solve_linear(c.problem, as_points(c.rows));
  EXPECT_EQ(first.beta, again.beta);
  EXPECT_EQ(first.weights, again.weights);
  EXPECT_EQ(first.beta, solve_linear(c.problem, as_points(c.rows, Kind::dense32)).beta);
  const auto sparse = solve_linear(c.problem, as_points(c.rows, Kind::sparse64));
  EXPECT_EQ(sparse.beta, solve_linear(c.problem, as_points(c.rows, Kind::sparse32)).beta);
  EXPECT_NE(first.beta, solve_linear(c.problem, as_points(c.rows), {.seed = 2}).beta);
}

TEST(LinearCoordinate, StartsWhereItIsTold) {
  Case c = cases()[0];
  const auto cold = solve_linear(c.problem, as_points(c.rows), {.tolerance = 1e-6});
  c.problem.start = cold.beta;
  EXPECT_EQ(expect_solved(c.problem, c.rows, {.tolerance = 1e-6}).passes, 0u);
  EXPECT_LT(expect_solved(c.problem, c.rows, {.tolerance = 1e-9}).passes, cold.passes);
}

TEST(LinearCoordinate, WakesShrunkVariablesWhereTheActiveCannotBringTheSumBack) {
  const Table rows = random_rows(300, 10, 2, false, 2);
  EXPECT_LT(expect_solved(classification(signs(planted(rows, 2, 2)), 1e-3), rows, {}).passes, 1000u);
}

TEST(LinearCoordinate, SolvesAThousandSparseRows) {
  const Table rows = random_rows(1000, 50, 10);
  const auto problem = classification(signs(planted(rows, 2, 11)), 1);
  for (const bool bias : {true, false}) {
    const auto found = solve_linear(problem, as_points(rows, Kind::sparse32), {.bias = bias});
    EXPECT_TRUE(found.converged);
    EXPECT_LE(found.violation, 1e-3);
    expect_consistent(problem, rows, found, {.bias = bias});
  }
}

// What is degenerate.

TEST(LinearCoordinate, NeedsNoRows) {
  for (const bool bias : {true, false}) {
    const auto found = solve_linear({}, Points(), {.bias = bias});
    EXPECT_TRUE(found.converged);
    EXPECT_TRUE(found.beta.empty() && found.f.empty());
  }
}

TEST(LinearCoordinate, OneAndTwoRows) {
  expect_solved(classification({1}, 1), {{2, 0}}, {});
  EXPECT_NEAR(expect_solved(classification({1}, 1), {{2, 0}}, {.bias = false}).beta[0], 0.25, 1e-3);
  const auto two = expect_solved(classification({1, -1}, 10), {{3}, {1}}, {.tolerance = 1e-9});
  EXPECT_NEAR(two.weights[0], 1, 1e-8);  // the margins lie at 3 and 1
  EXPECT_NEAR(two.rho, 2, 1e-8);
}

TEST(LinearCoordinate, PointsThatAreAllZero) {
  const Table zeros(4, std::vector<double>(3));
  for (const Kind kind : {Kind::dense64, Kind::sparse32}) {
    const auto found = expect_solved(classification({1, 1, 1, -1}, 2), zeros, {}, kind);
    EXPECT_EQ(found.beta[3], -2);
    EXPECT_NEAR(found.rho, -1, 1e-3);
    const auto without = expect_solved(classification({1, 1, 1, -1}, 2), zeros, {.bias = false}, kind);
    EXPECT_EQ(without.beta, (std::vector<double>{2, 2, 2, -2}));
  }
}

TEST(LinearCoordinate, EqualPointsWithOppositeLabels) {
  const Table rows{{1, 2}, {1, 2}, {1, 2}, {1, 2}};
  for (const bool bias : {true, false})
    expect_solved(classification({1, -1, 1, -1}, 1), rows, {.tolerance = 1e-6, .bias = bias});
}

TEST(LinearCoordinate, OneClassAloneNeedsNoWeights) {
  const Table rows = random_rows(10, 3, 1);
  const auto found = expect_solved(classification(std::vector<double>(10, 1), 1), rows, {});
  EXPECT_EQ(found.beta, std::vector<double>(10));
  EXPECT_NEAR(found.rho, -1, 1e-3);
}

TEST(LinearCoordinate, VariablesWithoutRoomStay) {
  const auto found = expect_solved(classification({1, -1}, 0.0), {{1}, {2}}, {});
  EXPECT_EQ(found.beta, (std::vector<double>{0, 0}));
  EXPECT_EQ(found.violation, 0);
}

TEST(LinearCoordinate, BoundsOfEveryMagnitude) {
  const Table rows = random_rows(30, 3, 12), separable = random_rows(20, 30, 2);
  for (const double C : {1e-300, 1e-100, 1e-10, 1e-2, 1e2})
    for (const bool bias : {true, false}) {
      SCOPED_TRACE(C);
      expect_solved(classification(signs(planted(rows, 0.5, 13)), C), rows, {.bias = bias});
    }
  expect_solved(classification(signs(planted(separable, 0.1, 5)), 1e300), separable, {});
  for (const bool bias : {true, false}) {  // no hyperplane separates these, so β grows without end
    const auto problem = classification(signs(planted(rows, 2, 13)), 1e300);
    const LinearOptions options{.bias = bias, .max_passes = 200};
    const auto found = solve_linear(problem, as_points(rows), options);
    EXPECT_FALSE(found.converged);
    expect_consistent(problem, rows, found, options);
  }
}

TEST(LinearCoordinate, FeaturesOfEveryMagnitude) {
  for (const double scale : {1e-150, 1e-30, 1e30, 1e150})
    for (const Kind kind : {Kind::dense64, Kind::sparse64, Kind::dense32}) {
      if (kind == Kind::dense32 && std::abs(std::log10(scale)) > 31) continue;
      SCOPED_TRACE(scale);
      Table rows = random_rows(12, 3, 14);
      for (auto& row : rows)
        for (double& value : row)
          value = kind == Kind::dense32 ? double(float(value * scale)) : value * scale;
      const auto problem = classification(signs(planted(rows, 0, 15)), 1);
      for (const bool bias : {true, false}) expect_solved(problem, rows, {.bias = bias}, kind);
    }
}

TEST(LinearCoordinate, NamesTheRowWhoseNormOverflows) {
  for (const Kind kind : {Kind::dense64, Kind::sparse64}) try {
      solve_linear(classification({1, -1}, 1), as_points({{1, 1}, {1, 1e200}}, kind));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
    }
}

// Ends before the solution.

TEST(LinearCoordinate, SaysWhenThePassesDidNotSufficeOrItWasStopped) {
  const Table rows = random_rows(200, 5, 16);
  const auto problem = classification(signs(planted(rows, 2, 17)), 100);
  const LinearOptions passes{.tolerance = 1e-9, .max_passes = 2},
      stopped{.tolerance = 1e-9, .progress = [](std::string_view, double) { return false; }};
  for (const LinearOptions& options : {passes, stopped}) {
    const auto found = solve_linear(problem, as_points(rows), options);
    EXPECT_FALSE(found.converged);
    EXPECT_EQ(found.stopped, bool(options.progress));
    EXPECT_GT(found.violation, 1e-9);
    EXPECT_NEAR(found.violation, violation(problem, rows, found.beta, true), 1e-9 * found.violation);
    expect_consistent(problem, rows, found, options);
  }
}

TEST(LinearCoordinate, TellsItsProgress) {
  const Case c = cases()[0];
  std::vector<double> told;
  const auto listen = [&](std::string_view, double fraction) { return told.push_back(fraction), true; };
  const auto found = solve_linear(c.problem, as_points(c.rows), {.progress = listen});
  EXPECT_GE(told.size(), found.passes);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_TRUE(told.front() >= 0 && told.back() <= 1 && told.back() > 0);
}

// Beside LIBLINEAR, which prints its dual objective.

double liblinear_objective(const std::string& flags, const Table& rows, const std::vector<double>& target) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "mercer_linear_coordinate_test.svm").string();
  std::ofstream file(path);
  file.precision(17);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    file << target[i];
    for (std::size_t k = 0; k < rows[i].size(); ++k) file << ' ' << k + 1 << ':' << rows[i][k];
    file << '\n';
  }
  file.close();
  const std::string command = "liblinear-train " + flags + " " + path + " /dev/null";
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += char(c);
  pclose(pipe);
  std::filesystem::remove(path);
  const auto found = text.find("Objective value = ");
  EXPECT_NE(found, std::string::npos) << text;
  return found == std::string::npos ? NAN : std::atof(text.c_str() + found + 18);
}

TEST(LinearCoordinate, AgreesWithLiblinear) {
  if (std::system("command -v liblinear-train >/dev/null") != 0)
    GTEST_SKIP() << "liblinear-train is not installed (package liblinear-tools)";
  const Table rows = random_rows(60, 8, 18);
  const auto z = planted(rows, 1, 19), y = signs(z);
  const auto ours = [&](const BoxQp& problem) {
    return linear_objective(problem, rows,
                            expect_solved(problem, rows, {.tolerance = 1e-7, .bias = false}).beta);
  };
  EXPECT_NEAR(ours(classification(y, 0.5)), liblinear_objective("-s 3 -c 0.5 -e 1e-7", rows, y), 1e-5);
  EXPECT_NEAR(ours(regression(z, 0.5, 0.2)), liblinear_objective("-s 13 -c 0.5 -p 0.2 -e 1e-7", rows, z),
              1e-5);
}

// The primal of both: ½‖w‖² + Σ C·max(0, 1 − y·f)², and the dual, written out; where they agree both are
// right.
TEST(LinearCoordinate, SolvesSquaredLossesWithAPenalisedConstant) {
  const Table rows = random_rows(50, 4, 21);
  const auto z = planted(rows, 1, 22), y = signs(z);
  const double C = 0.7, constant = 2;
  for (const bool classes : {true, false}) {
    BoxQp problem = classes ? classification(y, INFINITY) : regression(z, INFINITY, 0.2);
    const std::vector<double> diagonal(problem.size(), 1 / (2 * C));
    const LinearSolution found =
        solve_linear(problem, Points(rows),
                     {.tolerance = 1e-9, .bias = false, .constant = constant, .diagonal = diagonal});
    ASSERT_TRUE(found.converged);
    ASSERT_EQ(found.weights.size(), 5u);
    double primal = 0, dual = 0;
    for (const double w : found.weights) primal += w * w / 2, dual -= w * w / 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double f = std::inner_product(rows[i].begin(), rows[i].end(), found.weights.begin(), 0.0) +
                       constant * found.weights[4];
      EXPECT_NEAR(found.f[i], f, 1e-9);
      const double m = std::max(0.0, classes ? 1 - y[i] * f : std::abs(z[i] - f) - 0.2);
      primal += C * m * m;
    }
    for (std::size_t v = 0; v < problem.size(); ++v)
      dual -= found.beta[v] * problem.linear[v] + found.beta[v] * found.beta[v] / (4 * C);
    EXPECT_NEAR(primal, dual, 1e-7 * primal);
  }
}

}  // namespace
}  // namespace mercer
