#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::counts;
using testing::PlainRisk;

const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");

TEST(Poisson, IsAtTheMinimumOfItsRisk) {
  for (const double scale : {1.0, 100.0})
    for (const Bias bias : {Bias::free, Bias::none}) {
      SCOPED_TRACE("times " + std::to_string(scale) + ", bias " + testing::word(bias));
      Dataset data = counts(40, 1);
      for (double& value : data.target.values) value *= scale;
      const Model model = fit(Poisson{.lambda = 0.01, .bias = bias}, kernel, data, testing::tight(1e-7));
      testing::expect_minimum(model, PlainRisk(data, *loss_named("poisson"), 0.01), bias == Bias::free, 1e-7);
    }
}

TEST(Poisson, TheGradientRecursionComesToTheSame) {
  const Dataset data = counts(30, 2);
  FitOptions slow = testing::tight(1e-7);
  slow.solver = "gradient";
  const Model newton = fit(Poisson{.lambda = 0.1}, kernel, data, testing::tight(1e-7)),
              gradient = fit(Poisson{.lambda = 0.1}, kernel, data, slow);
  EXPECT_TRUE(gradient.fitted.report.converged);
  testing::expect_near(gradient.predict(data.points).scores, newton.predict(data.points).scores, 1e-5);
}

// With a free constant the rates sum to the counts: Σ (e^f − y) = 0.
TEST(Poisson, PredictsRatesThatSumToTheCounts) {
  const Dataset data = counts(60, 3);
  const Predictions p = fit(Poisson{}, kernel, data, testing::tight(1e-9)).predict(data.points);
  EXPECT_NEAR(testing::sum_of(p.values), testing::sum_of(data.target.values), 1e-6);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(p.values[i], std::exp(p.scores[i]), 1e-12 * p.values[i]);
}

TEST(Poisson, FindsTheRate) {
  const Dataset data = counts(400, 4);
  const std::vector<double> rates = fit(Poisson{.lambda = 0.003}, kernel, data).predict(data.points).values;
  double error = 0;
  for (std::size_t i = 0; i < 400; ++i)
    error += std::abs(rates[i] - std::exp(std::sin(data.points.row(i)[0]) + 1)) / 400;
  EXPECT_LT(error, 0.5);
}

TEST(Poisson, SmallSizesZerosAndRefusals) {
  for (const std::size_t n : {1u, 2u, 3u})
    EXPECT_TRUE(fit(Poisson{.bias = Bias::none}, kernel, counts(n, 5)).fitted.report.converged) << n;
  Dataset data = counts(10, 6);
  data.target.values[4] = -1;
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(Poisson{}, kernel, data); }),
            "poisson: row 5 has the target -1; it must be a count, ≥ 0");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Poisson{.lambda = 0}, kernel, data); }),
            "poisson: lambda must be > 0, not 0");
  // No count at all: the rate goes to 0 and the constant to −∞, as far as the tolerance asks.
  data.target.values.assign(10, 0.0);
  const Model nothing = fit(Poisson{}, kernel, data);
  testing::expect_finite(nothing, data.points);
  EXPECT_TRUE(nothing.fitted.report.converged) << nothing.fitted.report.violation;
  for (const double rate : nothing.predict(data.points).values) EXPECT_LT(rate, 1e-5);
}

}  // namespace
}  // namespace mercer
