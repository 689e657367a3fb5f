#include "methods/agreement.hpp"

namespace mercer {
namespace {

Dataset cloud(std::size_t n, std::uint64_t seed) {
  Dataset data = testing::blobs(n, 1, seed);
  data.target = {};
  return data;
}

TEST(OneClass, AgreesWithLibsvm) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(6);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = cloud(20 + random.below(30), seed);
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(ONE_CLASS, kernel, 1e-6);
    parameter.nu = random.uniform(0.05, 0.95);
    testing::expect_agreement(OneClass{.nu = parameter.nu}, data, parameter, kernel,
                              "seed " + std::to_string(seed));
  }
#endif
}

TEST(OneClass, SatisfiesTheOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const auto& [expression, value] : testing::plain_kernels) {
      SCOPED_TRACE(expression);
      const Dataset data = cloud(40, seed);
      const double nu = 0.3, tolerance = 1e-5;
      const Model model = fit(OneClass{.nu = nu}, Kernel::parse(expression), data, testing::tight(tolerance));
      const std::vector<double> beta = testing::coefficients_of(model, data.points);
      const std::vector<double> f = testing::decision(data.points, beta, model.fitted.rho[0], value);
      EXPECT_NEAR(testing::sum_of(beta), nu * 40, 1e-9);
      for (std::size_t i = 0; i < f.size(); ++i) {
        EXPECT_GE(beta[i], 0);
        EXPECT_LE(beta[i], 1);
        if (beta[i] > 0) {
          EXPECT_LE(f[i], 2 * tolerance) << i;
        }
        if (beta[i] < 1) {
          EXPECT_GE(f[i], -2 * tolerance) << i;
        }
      }
      EXPECT_NEAR(model.fitted.report.objective, testing::half_norm(data.points, beta, value),
                  1e-7 * (1 + model.fitted.report.objective));
      const Predictions p = model.predict(data.points);
      testing::expect_near(p.scores, f, 1e-10);
      for (std::size_t i = 0; i < f.size(); ++i) EXPECT_EQ(p.values[i], p.scores[i] > 0 ? 1 : -1);
    }
}

// Σβ is fixed, so that βᵀKβ is convex there; with k(x, x) = 0 it is the smallest ball (Tax & Duin 2004).
TEST(OneClass, TakesADistanceAsItsKernel) {
  const auto value = [](const std::vector<double>& x, const std::vector<double>& z) {
    double gap = 0;
    for (std::size_t k = 0; k < x.size(); ++k) gap += (x[k] - z[k]) * (x[k] - z[k]);
    return -std::pow(gap, 0.6);
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = cloud(60, seed);
    const double nu = 0.2, tolerance = 1e-5;
    const Model model =
        fit(OneClass{.nu = nu}, Kernel::parse("distance(beta=1.2)"), data, testing::tight(tolerance));
    EXPECT_TRUE(model.fitted.report.converged && model.fitted.report.warnings.empty());
    const std::vector<double> beta = testing::coefficients_of(model, data.points);
    const std::vector<double> f = testing::decision(data.points, beta, model.fitted.rho[0], value);
    EXPECT_NEAR(testing::sum_of(beta), nu * 60, 1e-9);
    for (std::size_t i = 0; i < f.size(); ++i) {
      EXPECT_TRUE(beta[i] >= 0 && beta[i] <= 1);
      EXPECT_TRUE(beta[i] == 0 || f[i] <= 2 * tolerance) << i;
      EXPECT_TRUE(beta[i] == 1 || f[i] >= -2 * tolerance) << i;
    }
    EXPECT_EQ(model.predict(Points(testing::Table{{50, 50, 50}})).values, std::vector<double>{-1});
  }
}

TEST(OneClass, NuBoundsWhatIsOutside) {
  for (const double nu : {0.05, 0.2, 0.5, 1.0}) {
    const Dataset data = cloud(100, 3);
    const Model model = fit(OneClass{.nu = nu}, Kernel::parse("rbf(gamma=0.5)"), data, testing::tight());
    double outside = 0;
    for (const double score : model.predict(data.points).scores) outside += score < -1e-4;
    EXPECT_LE(outside / 100, nu + 0.01) << nu;
    EXPECT_GE(double(model.fitted.report.support_vectors) / 100, nu - 0.01) << nu;
  }
}

TEST(OneClass, FarPointsAreOutside) {
  const Model model = fit(OneClass{.nu = 0.1}, Kernel::parse("rbf(gamma=0.5)"), cloud(100, 3));
  EXPECT_EQ(model.predict(Points(testing::Table{{50, 50, 50}, {-40, 0, 0}})).values,
            (std::vector<double>{-1, -1}));
  Dataset labelled = testing::blobs(30, 3, 1);  // a target is no obstacle
  EXPECT_TRUE(fit(OneClass{}, Kernel::parse("rbf(gamma=0.5)"), labelled).labels.empty());
}

}  // namespace
}  // namespace mercer
