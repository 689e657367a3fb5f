#include "solvers/l1_squared_hinge.hpp"

#include <gtest/gtest.h>

#include "solvers/linear_machines.hpp"

namespace mercer {
namespace {

double l1_objective(const testing::LinearData& data, const std::vector<double>& w, double constant) {
  double sum = 0;
  for (const double value : w) sum += std::abs(value);
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const double m = std::max(0.0, 1 - data.y[i] * testing::value_of(data.rows[i], w, constant));
    sum += data.C[i] * m * m;
  }
  return sum;
}

TEST(L1SquaredHinge, IsAtTheMinimum) {
  for (const double constant : {0.0, 2.0})
    for (const bool sparse : {false, true})
      for (const double factor : {0.02, 1.0}) {
        testing::LinearData data = testing::linear_data(60, 5, 7, true);
        for (double& C : data.C) C *= factor;
        const Points points = sparse ? Points(data.rows).to_sparse() : Points(data.rows);
        const L1Solution found =
            solve_l1_squared_hinge({points, data.y, data.C, constant}, {.tolerance = 1e-10});
        const auto objective = [&](const std::vector<double>& w) { return l1_objective(data, w, constant); };
        EXPECT_TRUE(found.converged);
        EXPECT_NEAR(found.objective, objective(found.w), 1e-10);
        EXPECT_GT(testing::lower_nearby(objective, found.w), found.objective - 1e-8);
        for (std::size_t i = 0; i < data.rows.size(); ++i)
          EXPECT_NEAR(found.f[i], testing::value_of(data.rows[i], found.w, constant), 1e-10);
      }
}

// At w = 0 a weight stays 0 where the derivative of the loss is at most 1.
TEST(L1SquaredHinge, LeavesWeightsAtZero) {
  testing::LinearData data = testing::linear_data(50, 8, 8, true);
  for (double& C : data.C) C *= 1e-4;
  const L1Solution none = solve_l1_squared_hinge({Points(data.rows), data.y, data.C});
  EXPECT_TRUE(none.converged);
  EXPECT_EQ(none.passes, 0u);
  EXPECT_EQ(none.w, std::vector<double>(8, 0.0));
  for (double& C : data.C) C *= 300;
  const L1Solution some = solve_l1_squared_hinge({Points(data.rows), data.y, data.C}, {.tolerance = 1e-8});
  EXPECT_GT(std::ranges::count(some.w, 0.0), 0);
  EXPECT_LT(std::ranges::count(some.w, 0.0), 8);
}

TEST(L1SquaredHinge, EndsAfterThePassesThatItMayTake) {
  const testing::LinearData data = testing::linear_data(60, 5, 9, true);
  const L1Solution one =
      solve_l1_squared_hinge({Points(data.rows), data.y, data.C}, {.tolerance = 1e-12, .max_passes = 1});
  EXPECT_EQ(one.passes, 1u);
  EXPECT_FALSE(one.converged);
  const L1Solution stopped = solve_l1_squared_hinge(
      {Points(data.rows), data.y, data.C},
      {.tolerance = 1e-12, .progress = [](std::string_view, double) { return false; }});
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.passes, 1u);
}

}  // namespace
}  // namespace mercer
