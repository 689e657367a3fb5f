#include "methods/agreement.hpp"

namespace mercer {
namespace {

using testing::wave;

TEST(NuSvr, AgreesWithLibsvm) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(5);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = wave(20 + random.below(30), seed);
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(NU_SVR, kernel, 1e-6);
    parameter.C = std::pow(10, random.uniform(-1.5, 0.5));
    parameter.nu = random.uniform(0.1, 0.9);
    testing::expect_agreement(NuSvr{.C = parameter.C, .nu = parameter.nu}, data, parameter, kernel,
                              "seed " + std::to_string(seed));
  }
#endif
}

// The tube that ν finds is the ε with which svr finds the same function.
TEST(NuSvr, IsSvrWithTheEpsilonThatItFinds) {
  for (const auto& [expression, value] : testing::plain_kernels) {
    const Dataset data = wave(60, 2);
    const Model model = fit(NuSvr{.nu = 0.4}, Kernel::parse(expression), data, testing::tight());
    const std::vector<double> beta = testing::coefficients_of(model, data.points),
                              f = testing::decision(data.points, beta, model.fitted.rho[0], value);
    EXPECT_NEAR(testing::sum_of(beta), 0, 1e-9);
    double epsilon = 0, free = 0, dual = testing::half_norm(data.points, beta, value);
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (beta[i] != 0 && std::abs(beta[i]) < 1) epsilon += std::abs(data.target.values[i] - f[i]), free += 1;
      dual -= data.target.values[i] * beta[i];
    }
    ASSERT_GT(free, 0) << expression;
    EXPECT_NEAR(model.fitted.report.objective, dual, 1e-7 * (1 + std::abs(dual)));
    const Model svr = fit(Svr{.epsilon = epsilon / free}, Kernel::parse(expression), data, testing::tight());
    testing::expect_near(svr.predict(data.points).values, model.predict(data.points).values, 1e-3,
                         expression);
  }
}

TEST(NuSvr, NuBoundsErrorsAndSupportVectors) {
  for (const double nu : {0.05, 0.2, 0.5, 0.8}) {
    const Dataset data = wave(100, 3);
    const Model model = fit(NuSvr{.C = 2, .nu = nu}, Kernel::parse("rbf(gamma=1)"), data, testing::tight());
    const FitReport& r = model.fitted.report;
    EXPECT_GE(double(r.support_vectors) / 100, nu - 0.01) << nu;
    EXPECT_LE(double(r.bounded_support_vectors) / 100, nu + 0.01) << nu;  // errors are at the bound
  }
}

// ε is what ν stands in for: a fit tells it, and a model file keeps it.
TEST(NuSvr, TellsTheEpsilonThatItFinds) {
  const Dataset data = wave(60, 2);
  const Model model = fit(NuSvr{.nu = 0.4}, Kernel::parse("rbf(gamma=1)"), data, testing::tight());
  const Diagnostic* epsilon = model.fitted.report.diagnostic("epsilon");
  ASSERT_TRUE(epsilon);
  EXPECT_EQ(epsilon->values[0], model.fitted.report.problems[0].found);
  const Model svr =
      fit(Svr{.epsilon = epsilon->values[0]}, Kernel::parse("rbf(gamma=1)"), data, testing::tight());
  testing::expect_near(svr.predict(data.points).values, model.predict(data.points).values, 1e-4);
  const Model back = Model::from_bytes(model.bytes());
  EXPECT_EQ(testing::diagnostic(back, "epsilon"), epsilon->values[0]);
}

}  // namespace
}  // namespace mercer
