#include "methods/regression.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(Regression, EveryPointHasAVariableThatLiftsAndOneThatLowers) {
  Dataset data = testing::wave(3, 1);
  data.target.values = {5, -1, 2};
  const FitOptions options{};
  const Kernel kernel = Kernel::parse("linear");
  const Training training{data.points, data.target, {1, 0, 2}, kernel, options, 1e-3};
  const SvmTrainer trainer(training, all_rows(training), Rule::value, 1, 1);
  const BoxQp problem = regression_problem(trainer, training, 10, 0.5);
  // The row of weight 0 is not among them.
  EXPECT_EQ(problem.points, (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(problem.linear, (std::vector<double>{-4.5, -1.5, -5.5, -2.5}));
  EXPECT_EQ(problem.upper, (std::vector<double>{10, 20, 0, 0}));
  EXPECT_EQ(problem.lower, (std::vector<double>{0, 0, -10, -20}));
}

TEST(Regression, CoefficientsAreTheSumsOfBothVariables) {
  const Dataset data = testing::wave(3, 1);
  const FitOptions options{};
  const Kernel kernel = Kernel::parse("linear");
  const Training training{data.points, data.target, {}, kernel, options, 1e-3};
  SvmTrainer trainer(training, all_rows(training), Rule::value, 1, 1);
  SmoResult result;
  result.beta = {1, 0, 2, 0, 0, -3};
  const Fitted fitted = finish_regression(trainer, result, 0.25);
  EXPECT_EQ(over_support(fitted).coefficients, (std::vector<double>{1, -1}));
  EXPECT_EQ(over_support(fitted).points.row(1), data.points.row(2));
  EXPECT_EQ(fitted.rho, std::vector<double>{0.25});
  EXPECT_EQ(fitted.rule, Rule::value);
}

TEST(Regression, AddingANumberToTheTargetAddsItToThePredictions) {
  const Dataset data = testing::wave(50, 3);
  Dataset lifted = data;
  for (double& value : lifted.target.values) value += 100;
  for (const AnyMethod& method : {AnyMethod(Svr{}), AnyMethod(NuSvr{})}) {
    std::vector<double> low =
        fit(method, Kernel::parse("rbf(gamma=1)"), data, testing::tight()).predict(data.points).values;
    for (double& value : low) value += 100;
    testing::expect_near(
        fit(method, Kernel::parse("rbf(gamma=1)"), lifted, testing::tight()).predict(data.points).values, low,
        1e-5);
  }
}

}  // namespace
}  // namespace mercer
