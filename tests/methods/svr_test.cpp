#include "methods/agreement.hpp"

namespace mercer {
namespace {

using testing::wave;

TEST(Svr, AgreesWithLibsvm) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(4);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = wave(20 + random.below(30), seed);
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(EPSILON_SVR, kernel, 1e-6);
    parameter.C = std::pow(10, random.uniform(-1.5, 0.5));
    parameter.p = seed % 7 == 0 ? 0 : random.uniform(0.01, 0.5);
    testing::expect_agreement(Svr{.C = parameter.C, .epsilon = parameter.p}, data, parameter, kernel,
                              "seed " + std::to_string(seed));
  }
#endif
}

TEST(Svr, SatisfiesTheOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const auto& [expression, value] : testing::plain_kernels) {
      SCOPED_TRACE(expression);
      const Dataset data = wave(40, seed);
      const double C = 0.8, epsilon = 0.2, tolerance = 1e-5;
      const Model model =
          fit(Svr{.C = C, .epsilon = epsilon}, Kernel::parse(expression), data, testing::tight(tolerance));
      const std::vector<double> beta = testing::coefficients_of(model, data.points);
      const std::vector<double> f = testing::decision(data.points, beta, model.fitted.rho[0], value);
      EXPECT_NEAR(testing::sum_of(beta), 0, 1e-9);
      double loss = 0, dual = testing::half_norm(data.points, beta, value), primal = dual;
      for (std::size_t i = 0; i < f.size(); ++i) {
        const double error = data.target.values[i] - f[i];
        EXPECT_LE(std::abs(beta[i]), C);
        if (beta[i] > 0) {
          EXPECT_GE(error, epsilon - 2 * tolerance) << i;
        }
        if (beta[i] < 0) {
          EXPECT_LE(error, -epsilon + 2 * tolerance) << i;
        }
        if (std::abs(beta[i]) < C) {
          EXPECT_LE(std::abs(error), epsilon + 2 * tolerance) << i;
        }
        loss += C * std::max(0.0, std::abs(error) - epsilon);
        dual += epsilon * std::abs(beta[i]) - data.target.values[i] * beta[i];
      }
      primal += loss;
      EXPECT_NEAR(model.fitted.report.objective, dual, 1e-7 * (1 + std::abs(dual)));
      EXPECT_NEAR(model.fitted.report.gap, primal + dual, 1e-7 * (1 + std::abs(dual)));
      testing::expect_near(model.predict(data.points).values, f, 1e-10);
    }
}

TEST(Svr, AWideTubeHoldsEverything) {
  const Dataset data = wave(30, 1);
  const Model model = fit(Svr{.epsilon = 100}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(model.fitted.report.support_vectors, 0u);
  EXPECT_TRUE(model.fitted.report.converged);
  const auto [low, high] = std::ranges::minmax(data.target.values);
  EXPECT_NEAR(model.predict(data.points).values[0], (low + high) / 2, 1e-9);
}

TEST(Svr, LearnsTheWave) {
  const Dataset data = wave(200, 1, 0.05);
  const std::vector<double> values =
      fit(Svr{.C = 10, .epsilon = 0.05}, Kernel::parse("rbf(gamma=1)"), data).predict(data.points).values;
  for (std::size_t i = 0; i < 200; ++i) EXPECT_NEAR(values[i], data.target.values[i], 0.4);
}

}  // namespace
}  // namespace mercer
