#include "mercer/methods/linear_svr.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

double svr_objective(const LinearSvr& svr, const Dataset& data, const std::vector<double>& w) {
  double sum = 0;
  const std::size_t d = w.size() - 1;
  for (std::size_t j = 0; j < d; ++j) sum += w[j] * w[j] / 2;
  if (svr.intercept) sum += std::pow(w[d] / svr.intercept_scaling, 2) / 2;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double f = w[d];
    for (std::size_t j = 0; j < d; ++j) f += w[j] * data.points.row(i)[j];
    const double m = std::max(0.0, std::abs(data.target.values[i] - f) - svr.epsilon);
    const bool squared = svr.loss == LinearSvr::LossWord::squared_epsilon_insensitive;
    sum += svr.C * (data.weights.empty() ? 1 : data.weights[i]) * (squared ? m * m : m);
  }
  return sum;
}

TEST(LinearSvr, NoStepInAnyDirectionLowersItsObjective) {
  using enum LinearSvr::LossWord;
  for (const char* solver : {"descent", "newton"})
    for (const LinearSvr& svr :
         {LinearSvr{.C = 0.5, .epsilon = 0.1, .epochs = 100000},
          LinearSvr{.C = 0.5, .epsilon = 0.1, .loss = squared_epsilon_insensitive, .epochs = 100000},
          LinearSvr{.loss = squared_epsilon_insensitive, .intercept = false, .epochs = 100000},
          LinearSvr{.loss = squared_epsilon_insensitive, .intercept_scaling = 4, .epochs = 100000}}) {
      if (svr.loss == epsilon_insensitive && std::string_view(solver) == "newton") continue;
      Dataset data = testing::wave(60, 3);
      for (std::size_t i = 0; i < data.rows(); ++i) data.weights.push_back(double(i % 3));
      const Model model = fit(svr, Kernel::parse("linear"), data, {.tolerance = 1e-9, .solver = solver});
      ASSERT_TRUE(model.fitted.report.converged);
      std::vector<double> w = model.fitted.expansion.points.row(0);
      w.push_back(-model.fitted.rho[0]);
      const double found = svr_objective(svr, data, w);
      EXPECT_NEAR(model.fitted.report.objective, found, 1e-8 * found);
      Random random(4);
      for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> other = w;
        const double size = std::pow(10, random.uniform(-4, 0));
        for (std::size_t j = 0; j < w.size(); ++j)
          if (j + 1 < w.size() || svr.intercept) other[j] += size * random.normal();
        EXPECT_GT(svr_objective(svr, data, other), found - 1e-7 * found);
      }
    }
}

TEST(LinearSvr, RefusesNewtonWithoutASquaredLoss) {
  EXPECT_THROW(fit(LinearSvr{}, Kernel::parse("linear"), testing::wave(20, 1), {.solver = "newton"}), Error);
  EXPECT_THROW(AnyMethod(LinearSvr{.epsilon = -1}), Error);
}

}  // namespace
}  // namespace mercer
