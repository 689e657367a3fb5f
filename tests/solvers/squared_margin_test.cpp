#include "solvers/squared_margin.hpp"

#include <gtest/gtest.h>

#include "operators/row_products.hpp"
#include "solvers/linear_machines.hpp"

namespace mercer {
namespace {

double squared_objective(const testing::LinearData& data, const std::vector<double>& w, double constant,
                         double epsilon) {
  double sum = 0;
  for (const double value : w) sum += value * value / 2;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const double f = testing::value_of(data.rows[i], w, constant), y = data.y[i];
    const double m = std::max(0.0, std::isnan(epsilon) ? 1 - y * f : std::abs(y - f) - epsilon);
    sum += data.C[i] * m * m;
  }
  return sum;
}

TEST(SquaredMargin, IsAtTheMinimum) {
  for (const bool classes : {true, false})
    for (const double constant : {0.0, 2.0})
      for (const bool sparse : {false, true}) {
        const testing::LinearData data = testing::linear_data(60, 4, 3, classes);
        const double epsilon = classes ? NAN : 0.2;
        const Points points = sparse ? Points(data.rows).to_sparse() : Points(data.rows);
        const RowProducts features(points, constant);
        const auto found =
            minimise_squared_margin({features, data.y, data.C, epsilon}, {.tolerance = 1e-9, .unit = 1});
        const auto objective = [&](const std::vector<double>& w) {
          return squared_objective(data, w, constant, epsilon);
        };
        EXPECT_TRUE(found.converged);
        EXPECT_LE(found.gradient, 1e-9);
        EXPECT_NEAR(found.objective, objective(found.w), 1e-9);
        EXPECT_GT(testing::lower_nearby(objective, found.w), found.objective - 1e-9);
      }
}

// c·m but for a rounded corner of width δ.
TEST(SquaredMargin, MayGoOnStraight) {
  for (const bool classes : {true, false})
    for (const double delta : {0.5, 0.01}) {
      const testing::LinearData data = testing::linear_data(60, 4, 6, classes);
      const double epsilon = classes ? NAN : 0.2;
      const RowProducts features(Points(data.rows), 1);
      std::vector<double> C = data.C;
      for (double& value : C) value /= 2 * delta;
      const auto found = minimise_squared_margin({features, data.y, C, epsilon, delta}, {.tolerance = 1e-8});
      const auto objective = [&](const std::vector<double>& w) {
        double sum = 0;
        for (const double value : w) sum += value * value / 2;
        for (std::size_t i = 0; i < data.rows.size(); ++i) {
          const double f = testing::value_of(data.rows[i], w, 1), y = data.y[i];
          const double m = std::max(0.0, std::isnan(epsilon) ? 1 - y * f : std::abs(y - f) - epsilon);
          sum += data.C[i] * (m < delta ? m * m / (2 * delta) : m - delta / 2);
        }
        return sum;
      };
      EXPECT_TRUE(found.converged);
      EXPECT_NEAR(found.objective, objective(found.w), 1e-9);
      EXPECT_GT(testing::lower_nearby(objective, found.w), found.objective - 1e-8);
    }
}

// The conditions of the minimum of the loss with a kink (Karush, Kuhn and Tucker), row by row, from β alone.
TEST(RoundedMarginDual, MeetsTheConditionsOfTheKinkedLoss) {
  for (const bool classes : {true, false})
    for (const std::size_t d : {1u, 4u, 30u})
      for (const std::size_t n : {1u, 2u, 60u}) {
        const testing::LinearData data = testing::linear_data(n, d, 3 + n, classes);
        const double epsilon = classes ? NAN : 0.2, width = 1e-5;
        const RowProducts features(Points(data.rows), 1);
        const std::vector<double> beta =
            rounded_margin_dual({features, data.y, data.C, epsilon}, 1, width, {.tolerance = 1e-3});
        std::vector<double> w(d + 1, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < d; ++j) w[j] += beta[i] * data.rows[i][j];
          w[d] += beta[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
          const double f = testing::value_of(data.rows[i], w, 1), y = data.y[i], C = data.C[i];
          const double m = classes ? 1 - y * f : std::abs(y - f) - epsilon;
          const double along = classes ? y * beta[i] : (f > y ? -1 : 1) * beta[i];
          EXPECT_GE(along, 0);
          EXPECT_LE(along, C);
          EXPECT_TRUE(along == C || m < 1.1 * width) << m;
          EXPECT_TRUE(along == 0 || m > -0.1 * width) << m;
        }
      }
}

// More features than are factored go by conjugate gradients: columns that are 0 change nothing.
TEST(SquaredMargin, HasOneMinimumForBothWaysToStep) {
  testing::LinearData data = testing::linear_data(80, 5, 4, true);
  const RowProducts few(Points(data.rows), 1);
  for (auto& row : data.rows) row.resize(most_factored_weights + 10, 0.0);
  const RowProducts many(Points(data.rows).to_sparse(), 1);
  const auto factored = minimise_squared_margin({few, data.y, data.C}, {.tolerance = 1e-10});
  const auto multiplied = minimise_squared_margin({many, data.y, data.C}, {.tolerance = 1e-10});
  ASSERT_TRUE(factored.converged && multiplied.converged);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(factored.w[j], multiplied.w[j], 1e-9);
  EXPECT_NEAR(factored.w.back(), multiplied.w.back(), 1e-9);
  EXPECT_NEAR(factored.objective, multiplied.objective, 1e-9);
}

TEST(SquaredMargin, EndsAfterTheStepsThatItMayTake) {
  const testing::LinearData data = testing::linear_data(80, 5, 5, true);
  const RowProducts features(Points(data.rows), 1);
  const auto one = minimise_squared_margin({features, data.y, data.C}, {.tolerance = 1e-12, .most_steps = 1});
  EXPECT_EQ(one.steps, 1u);
  EXPECT_FALSE(one.converged);
  EXPECT_LT(one.objective, squared_objective(data, std::vector<double>(6, 0.0), 1, NAN));
  const auto none = minimise_squared_margin({features, data.y, data.C},
                                            {.progress = [](std::string_view, double) { return false; }});
  EXPECT_TRUE(none.stopped);
  EXPECT_EQ(none.steps, 0u);
}

TEST(SquaredMargin, KnowsItsGradientAtZero) {
  const std::vector<std::vector<double>> rows{{3}, {4}};
  const std::vector<double> y{1, -1}, C{0.5, 2};
  const RowProducts features(Points(rows), 0);
  EXPECT_NEAR(first_gradient({features, y, C}), std::abs(-2 * 0.5 * 3 + 2 * 2 * 4), 1e-12);
}

}  // namespace
}  // namespace mercer
