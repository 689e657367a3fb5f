#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::PlainRisk;

const Kernel huber_kernel = Kernel::parse("rbf(gamma=0.5)");

// A wave with a few wild targets.
Dataset spoiled(std::size_t n, std::uint64_t seed) {
  Dataset data = testing::wave(n, seed);
  for (std::size_t i = 3; i < n; i += 10) data.target.values[i] += 50;
  return data;
}

AnyLoss huber_loss(double delta) {
  AnyLoss loss = loss_named("huber");
  loss->set("delta", delta);
  return loss;
}

TEST(Huber, IsAtTheMinimumOfItsRisk) {
  for (const double delta : {0.01, 0.5, 1e6})
    for (const Bias bias : {Bias::free, Bias::none}) {
      SCOPED_TRACE("delta " + std::to_string(delta) + ", bias " + testing::word(bias));
      const Dataset data = spoiled(40, 1);
      const Model model =
          fit(Huber{.lambda = 0.001, .delta = delta, .bias = bias}, huber_kernel, data, testing::tight(1e-8));
      const AnyLoss loss = huber_loss(delta);
      testing::expect_minimum(model, PlainRisk(data, *loss, 0.001), bias == Bias::free, 1e-8);
    }
}

TEST(Huber, TheGradientRecursionComesToTheSame) {
  const Dataset data = spoiled(30, 2);
  FitOptions slow = testing::tight(1e-8);
  slow.solver = "gradient";
  const Model newton = fit(Huber{.lambda = 0.05}, huber_kernel, data, testing::tight(1e-8)),
              gradient = fit(Huber{.lambda = 0.05}, huber_kernel, data, slow);
  EXPECT_TRUE(gradient.fitted.report.converged);
  testing::expect_near(gradient.predict(data.points).values, newton.predict(data.points).values, 1e-5);
}

// Within delta the loss is that of ridge regression, up to the factor that huber has: (y − f)²/2.
TEST(Huber, OfAWideDeltaIsRidgeRegression) {
  const Dataset data = testing::wave(40, 3);
  const std::vector<double> f{0.25};
  const double factor = huber_loss(1e6)->value(0, f) / (0.25 * 0.25);
  testing::expect_near(
      fit(Huber{.lambda = 0.01 * factor, .delta = 1e6}, huber_kernel, data, testing::tight(1e-9))
          .predict(data.points)
          .values,
      fit(Ridge{.lambda = 0.01, .bias = Bias::free}, huber_kernel, data, testing::tight(1e-12))
          .predict(data.points)
          .values,
      1e-6);
}

TEST(Huber, IsNotSpoiledByAFewWildTargets) {
  const Dataset data = spoiled(100, 4), clean = testing::wave(100, 4);
  const auto error = [&](const AnyMethod& method) {
    const std::vector<double> values = fit(method, huber_kernel, data).predict(data.points).values;
    double sum = 0;
    for (std::size_t i = 0; i < 100; ++i) sum += std::abs(values[i] - clean.target.values[i]) / 100;
    return sum;
  };
  EXPECT_LT(error(Huber{.lambda = 0.01}), 0.6);
  EXPECT_GT(error(Ridge{.lambda = 0.01, .bias = Bias::free}), 2);
}

TEST(Huber, SmallSizesAndRefusals) {
  for (const std::size_t n : {1u, 2u, 3u})
    EXPECT_TRUE(fit(Huber{}, huber_kernel, testing::wave(n, 5)).fitted.report.converged) << n;
  EXPECT_EQ(refusal(ErrorKind::usage, [] { fit(Huber{.delta = 0}, huber_kernel, testing::wave(9, 5)); }),
            "huber: delta must be > 0, not 0");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { fit(Huber{.lambda = 0}, huber_kernel, testing::wave(9, 5)); }),
            "huber: lambda must be > 0, not 0");
}

}  // namespace
}  // namespace mercer
