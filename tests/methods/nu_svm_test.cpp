#include "methods/agreement.hpp"

namespace mercer {
namespace {

using testing::blobs;

TEST(NuSvm, AgreesWithLibsvm) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(3);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = blobs(30 + random.below(30), 2 + seed % 3, seed, random.uniform(0.3, 0.8));
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(NU_SVC, kernel, 1e-7);
    parameter.nu = random.uniform(0.4, 0.8);
    try {
      testing::expect_agreement(NuSvm{.nu = parameter.nu}, data, parameter, kernel,
                                "seed " + std::to_string(seed));
    } catch (const Error& error) {
      ADD_FAILURE() << seed << ": " << error.what();
    }
  }
#endif
}

TEST(NuSvm, NuBoundsErrorsAndSupportVectors) {
  for (const double nu : {0.1, 0.3, 0.6, 0.9})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Dataset data = blobs(80, 2, seed, 1.2);
      const Model model = fit(NuSvm{.nu = nu}, Kernel::parse("rbf(gamma=1)"), data, testing::tight());
      const Predictions p = model.predict(data.points);
      double errors = 0;
      for (std::size_t i = 0; i < data.rows(); ++i)
        errors += (data.target.codes[i] == 1 ? 1 : -1) * p.scores[i] < 1 - 1e-4;
      EXPECT_LE(errors / 80, nu + 1.0 / 80) << nu;
      EXPECT_GE(double(model.fitted.report.support_vectors) / 80, nu - 1.0 / 80) << nu;
    }
}

// β/r is feasible for the SVM with C = 1/r, and its optimum (Chang & Lin 2001).
TEST(NuSvm, IsTheSvmOfSomePrice) {
  for (const auto& [expression, value] : testing::plain_kernels) {
    const Dataset data = blobs(40, 2, 4, 1.5);
    const Model model = fit(NuSvm{.nu = 0.5}, Kernel::parse(expression), data, testing::tight());
    const std::vector<double> beta = testing::coefficients_of(model, data.points);
    double C = 0;
    for (const double b : beta) C = std::max(C, std::abs(b));
    ASSERT_GT(model.fitted.report.bounded_support_vectors, 0u) << expression;
    EXPECT_NEAR(testing::sum_of(beta), 0, 1e-9 * C);
    EXPECT_NEAR(model.fitted.report.objective, testing::half_norm(data.points, beta, value),
                1e-6 * (1 + model.fitted.report.objective));
    const Model svm = fit(Svm{.C = C}, Kernel::parse(expression), data, testing::tight());
    testing::expect_near(svm.predict(data.points).scores, model.predict(data.points).scores, 1e-3,
                         expression);
    std::vector<double> f = testing::decision(data.points, beta, model.fitted.rho[0], value);
    for (double& one : f) one = -one;  // scores are positive for the second class
    testing::expect_near(f, model.predict(data.points).scores, 1e-9, expression);
  }
}

TEST(NuSvm, RefusesWhatTheClassesCannotHold) {
  const Dataset data = testing::choose(blobs(40, 2, 1), {0, 2, 4, 6, 8, 10, 12, 14, 1, 3});
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(NuSvm{.nu = 0.5}, Kernel::parse("linear"), data); }),
            "nu = 0.5 is too large for classes of these sizes; at most 0.4");
  EXPECT_TRUE(fit(NuSvm{.nu = 0.4}, Kernel::parse("rbf(gamma=1)"), data).fitted.report.converged);
}

TEST(NuSvm, RefusesWhereThereIsNoMargin) {
  const Dataset data = testing::two_classes({{0, 0}, {1, 1}, {0, 1}, {1, 0}}, {0, 0, 1, 1});
  EXPECT_EQ(
      refusal(ErrorKind::data, [&] { fit(NuSvm{.nu = 1}, Kernel::parse("linear"), data); }).substr(0, 39),
      "nu = 1 gives no margin with this kernel");
}

// Before it has begun, the machine may have no margin to scale by.
TEST(NuSvm, AFitCutShortBeforeItHasAMarginSaysSo) {
  const Dataset data = testing::two_classes({{0, 0}, {3, 3}, {1, 1}, {2, 2}}, {0, 0, 1, 1});
  EXPECT_TRUE(fit(NuSvm{}, Kernel::parse("rbf(gamma=1)"), data).fitted.report.converged);
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [&] {
                      fit(NuSvm{.nu = 0.5}, Kernel::parse("linear"),
                          testing::two_classes({{0, 0}, {9, 9}, {1, 1}, {1, 1}}, {1, 1, 0, 0}),
                          {.seconds = 1e-9});
                    }),
            "the time did not suffice to find a margin");
}

}  // namespace
}  // namespace mercer
