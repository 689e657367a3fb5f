// Each price against the plain reference solver, and f of every point against a double loop.
#include "solvers/box_path.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

struct PathSetting {
  PathSetting(std::size_t n, double gamma, std::uint64_t seed)
      : PathSetting(random_rows(n, 3, seed), gamma) {}
  PathSetting(std::vector<std::vector<double>> given, double gamma)
      : rows(std::move(given)),
        gram(rbf({.gamma = gamma}), as_points(rows),
             {.storage = OperatorOptions::Storage::held, .threads = 1}) {
    for (const auto& x : rows) {
      K.emplace_back();
      for (const auto& z : rows) {
        double sum = 0;
        for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - z[k]) * (x[k] - z[k]);
        K.back().push_back(std::exp(-gamma * sum));
      }
    }
  }
  std::vector<std::vector<double>> rows;
  KernelOperator<float> gram;
  Matrix64 K;
};

BoxQp priced(BoxQp problem, double price) {
  for (double& bound : problem.lower) bound *= price;
  for (double& bound : problem.upper) bound *= price;
  return problem;
}

void expect_solved(const PathSetting& setting, const BoxQp& unit, const BoxPath& path, double price) {
  const BoxQp problem = priced(unit, price);
  for (std::size_t v = 0; v < problem.size(); ++v) {
    EXPECT_GE(path.beta()[v], problem.lower[v]);
    EXPECT_LE(path.beta()[v], problem.upper[v]);
  }
  EXPECT_LE(violation(problem, setting.K, path.beta()), 1e-3 + 1e-5 * price) << price;
  const double best = objective(problem, setting.K, reference_solution(problem, setting.K));
  EXPECT_NEAR(objective(problem, setting.K, path.beta()), best, 1e-3 * (1 + std::abs(best))) << price;
  for (std::size_t i = 0; i < setting.rows.size(); ++i) {
    double f = 0;
    for (std::size_t v = 0; v < problem.size(); ++v)
      f += path.beta()[v] * setting.K[i][std::size_t(problem.points[v])];
    EXPECT_NEAR(path.f(i), f, 1e-5 * (1 + price)) << "point " << i;
  }
}

std::vector<std::size_t> every_third(std::size_t n) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < n; i += 3) rows.push_back(i);
  return rows;
}

TEST(BoxPath, SolvesEachPriceOfAClassifier) {
  for (const std::size_t n : {4, 41, 130}) {
    const PathSetting setting(n, 0.7, n);
    BoxQp unit;
    for (std::size_t i = 0; i < n; ++i)
      if (i % 3 != 0)
        unit.add_signed(i, setting.rows[i][0] > 0.1 * double(i % 5) ? -1.0 : 1.0,
                        setting.rows[i][0] > 0.1 * double(i % 5) ? 1 : -1, i % 7 == 1 ? 2 : 1);
    BoxPath::Room room;
    BoxPath path(setting.gram, room);
    path.begin(unit, every_third(n));
    for (const double price : {0.03, 0.03, 0.5, 8.0, 300.0}) {
      path.solve(price, 1e-3, {});
      expect_solved(setting, unit, path, price);
    }
  }
}

TEST(BoxPath, SolvesTwoVariablesAPoint) {
  const PathSetting setting(60, 0.5, 9);
  BoxQp unit;
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < 60; ++i)
      if (i % 3 != 0) unit.add_signed(i, sign * 0.1 - std::sin(setting.rows[i][0]), sign, 1);
  BoxPath::Room room;
  BoxPath path(setting.gram, room);
  path.begin(unit, every_third(60));
  for (const double price : {0.1, 10.0}) {
    path.solve(price, 1e-3, {});
    expect_solved(setting, unit, path, price);
  }
}

// A number that all gradients share changes nothing; float32 must not be spent on it.
TEST(BoxPath, SolvesTargetsFarFromZero) {
  const PathSetting setting(60, 0.5, 9);
  BoxQp unit;
  for (std::size_t i = 0; i < 60; ++i)
    unit.add_signed(i, setting.rows[i][0] > 0 ? 1e6 - 1 : 1e6 + 1, setting.rows[i][0] > 0 ? 1 : -1, 1);
  BoxPath::Room room;
  BoxPath path(setting.gram, room);
  path.begin(unit, {});
  for (const double price : {0.1, 100.0}) {
    path.solve(price, 1e-3, {});
    EXPECT_LE(violation(priced(unit, price), setting.K, path.beta()), 1.1e-3 + 1e-5 * price);
  }
}

// Points far from each other belong where they are at any price; two equal ones of either class go to their
// bounds.
TEST(BoxPath, LeavesAloneWhatALargerPriceDoesNotMove) {
  PathSetting setting(200, 2000, 3);
  setting.rows[150] = setting.rows[50];
  const PathSetting equal(setting.rows, 2000);
  BoxQp unit;
  for (std::size_t i = 0; i < 200; ++i) unit.add_signed(i, i < 100 ? -1.0 : 1.0, i < 100 ? 1 : -1, 1);
  BoxPath::Room room;
  BoxPath path(equal.gram, room);
  path.begin(unit, {});
  path.solve(10, 1e-3, {});
  EXPECT_TRUE(path.any_at_bound());
  const std::size_t before = path.steps();
  for (const double price : {40.0, 160.0}) {
    path.solve(price, 1e-3, {});
    expect_solved(equal, unit, path, price);
    EXPECT_EQ(path.beta()[50], price);
    EXPECT_EQ(path.beta()[150], -price);
  }
  EXPECT_LE(path.steps() - before, 50u);
}

// More variables than are solved together.
TEST(BoxPath, SolvesMoreVariablesThanABlockHolds) {
  const PathSetting setting(4300, 0.3, 2);
  BoxQp unit;
  for (std::size_t i = 0; i < 4300; ++i) unit.add_signed(i, i % 2 ? -1.0 : 1.0, i % 2 ? 1 : -1, 1);
  BoxPath::Room room;
  BoxPath path(setting.gram, room);
  path.begin(unit, {});
  path.solve(0.5, 1e-2, {});
  EXPECT_LE(violation(priced(unit, 0.5), setting.K, path.beta()), 1.1e-2);
}

// A variable with bounds of 0 is not there; problems over the same points follow each other.
TEST(BoxPath, GivesTheSameForProblemsInTurnAsForEachAlone) {
  const PathSetting setting(50, 0.7, 8);
  const auto part = [&](std::size_t left) {
    BoxQp unit;
    for (std::size_t i = 0; i < 50; ++i)
      unit.add_signed(i, setting.rows[i][0] > 0 ? -1.0 : 1.0, setting.rows[i][0] > 0 ? 1 : -1,
                      i % 3 == left ? 0 : 1);
    return unit;
  };
  BoxPath::Room room, own;
  BoxPath path(setting.gram, room);
  for (const std::size_t left : {0, 1, 2}) {
    path.begin(part(left), {});
    BoxPath alone(setting.gram, own);
    alone.begin(part(left), {});
    for (const double price : {0.1, 5.0}) {
      path.solve(price, 1e-3, {});
      alone.solve(price, 1e-3, {});
      EXPECT_EQ(path.beta(), alone.beta());
      expect_solved(setting, part(left), path, price);
    }
  }
}

TEST(BoxPath, KnowsWhenNoLargerPriceChangesAnything) {
  const PathSetting setting(30, 2, 4);
  BoxQp unit;
  for (std::size_t i = 0; i < 30; ++i) unit.add_signed(i, i % 2 ? -1.0 : 1.0, i % 2 ? 1 : -1, 1);
  BoxPath::Room room;
  BoxPath path(setting.gram, room);
  path.begin(unit, {});
  path.solve(0.01, 1e-4, {});
  EXPECT_TRUE(path.any_at_bound());
  path.solve(1e6, 1e-4, {});
  EXPECT_FALSE(path.any_at_bound());
}

}  // namespace
}  // namespace mercer
