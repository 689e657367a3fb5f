#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::PlainRisk;
using testing::wave;

const Kernel quantile_kernel = Kernel::parse("rbf(gamma=0.5)");

// With C = 1/(2nλ): C(τ − 1) ≤ β ≤ Cτ, Σβ = 0, and β is at its upper end above f, at its lower one below.
TEST(Quantile, SatisfiesTheOptimalityConditions) {
  for (const std::size_t n : {1u, 2u, 3u, 7u, 50u})
    for (const double tau : {0.1, 0.5, 0.75}) {
      SCOPED_TRACE(std::to_string(n) + " rows, tau " + std::to_string(tau));
      const double lambda = 0.01, C = 1 / (2 * double(n) * lambda), tolerance = 1e-6;
      const Dataset data = wave(n, 1);
      const Model model =
          fit(Quantile{.tau = tau, .lambda = lambda}, quantile_kernel, data, testing::tight(tolerance));
      EXPECT_TRUE(model.fitted.report.converged);
      AnyLoss loss = loss_named("pinball");
      loss->set("tau", tau);
      const PlainRisk risk(data, *loss, lambda);
      const auto at = testing::coefficients_and_constant(model, data);
      const std::vector<double> f = risk.f(at.A, at.b);
      EXPECT_NEAR(testing::sum_of(at.A), 0, 1e-9 * C);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_GE(at.A[i], C * (tau - 1) * (1 + 1e-12));
        EXPECT_LE(at.A[i], C * tau * (1 + 1e-12));
        const double error = data.target.values[i] - f[i];
        if (error > 2 * tolerance) {
          EXPECT_NEAR(at.A[i], C * tau, 1e-9 * C) << i;
        }
        if (error < -2 * tolerance) {
          EXPECT_NEAR(at.A[i], C * (tau - 1), 1e-9 * C) << i;
        }
      }
      testing::expect_no_lower(risk, at, true, 1e-5);
      EXPECT_NEAR(*model.fitted.report.loss, risk.training_loss(at.A, at.b), 1e-9);
      testing::expect_near(model.predict(data.points).values, f, 1e-9);
    }
}

// As many rows lie strictly below f as tau says at most, and as many on or below it at least.
TEST(Quantile, APartTauOfTheTargetsLiesBelow) {
  const std::size_t n = 200;
  const Dataset data = wave(n, 2);
  for (const double tau : {0.05, 0.3, 0.5, 0.9}) {
    const std::vector<double> f =
        fit(Quantile{.tau = tau, .lambda = 0.01}, quantile_kernel, data, testing::tight(1e-6))
            .predict(data.points)
            .values;
    double below = 0, upto = 0;
    for (std::size_t i = 0; i < n; ++i)
      below += data.target.values[i] < f[i] - 1e-5, upto += data.target.values[i] <= f[i] + 1e-5;
    EXPECT_LE(below / double(n), tau + 1e-12);
    EXPECT_GE(upto / double(n), tau - 1e-12);
    EXPECT_NEAR(below / double(n), tau, 0.06);
  }
}

TEST(Quantile, WeightsStandForRows) {
  Dataset weighted = wave(30, 3);
  weighted.weights.assign(30, 1.0);
  std::vector<std::size_t> rows(30);
  for (std::size_t i = 0; i < 30; ++i) rows[i] = i;
  for (const std::size_t i : {1u, 8u}) weighted.weights[i] = 2, rows.push_back(i);
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  testing::expect_near(
      fit(Quantile{.tau = 0.3}, quantile_kernel, weighted, testing::tight()).predict(weighted.points).values,
      fit(Quantile{.tau = 0.3}, quantile_kernel, repeated, testing::tight()).predict(weighted.points).values,
      1e-4);
}

TEST(Quantile, RefusesWhatMakesNoSense) {
  for (const double tau : {0.0, 1.0, -1.0}) {
    const std::string message =
        refusal(ErrorKind::usage, [&] { fit(Quantile{.tau = tau}, quantile_kernel, wave(9, 1)); });
    EXPECT_EQ(message.find("quantile: tau must be > 0 and < 1, not "), 0u) << message;
  }
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { fit(Quantile{}, quantile_kernel, wave(9, 1), {.solver = "cg"}); }),
      "quantile: there is one solver; leave the choice of the solver open");
}

}  // namespace
}  // namespace mercer
