#include "methods/feature_gp.hpp"

#include "elimination.hpp"
#include "methods/problems.hpp"

namespace mercer {
namespace {

// A sum takes the way of every kernel, n × n.
TEST(FeatureGp, IsTheProcessOfTheLinearKernel) {
  Dataset data = testing::wave(40, 3);
  for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(i % 3 ? 1 : 2);
  for (const auto optimize : {Gp::Optimize::none, Gp::Optimize::evidence}) {
    Gp gp;
    gp.optimize = optimize;
    const Model few = fit(gp, Kernel::parse("linear"), data),
                many = fit(gp, Kernel::parse("linear@1 + linear@2"), data);
    EXPECT_EQ(few.fitted.expansion.points.rows(), 2u);
    EXPECT_EQ(many.fitted.expansion.points.rows(), 40u);
    EXPECT_TRUE(few.fitted.report.converged && many.fitted.report.converged);
    const bool given = gp.optimize == Gp::Optimize::none;
    testing::expect_near(few.predict(data.points).values, many.predict(data.points).values,
                         given ? 1e-10 : 1e-2, testing::word(optimize));
    testing::expect_near(few.variances(data.points), many.variances(data.points), given ? 1e-10 : 1e-2,
                         testing::word(optimize));
    EXPECT_NEAR(testing::diagnostic(few, "log_marginal_likelihood"),
                testing::diagnostic(many, "log_marginal_likelihood"), given ? 1e-9 : 1e-4);
    EXPECT_NEAR(*few.fitted.report.norm, *many.fitted.report.norm, given ? 1e-9 : 0.1);
    EXPECT_NEAR(*few.fitted.report.loss, *many.fitted.report.loss, 1e-3);
    EXPECT_NEAR(*few.fitted.report.degrees_of_freedom, *many.fitted.report.degrees_of_freedom, 1e-2);
  }
}

TEST(FeatureGp, NeedsNoMemoryForTheRows) {
  const Dataset data = testing::wave(2000, 3);
  EXPECT_TRUE(fit(Gp{}, Kernel::parse("linear"), data, {.memory = 1 << 20}).fitted.report.converged);
  EXPECT_EQ(refusal(ErrorKind::budget, [&] { fit(Gp{}, Kernel::parse("linear"), data, {.memory = 100}); }),
            "a Gaussian process of 2 columns needs 0.0 MB, but 0.0 MB are allowed; allow more memory");
}

TEST(FeatureGp, TakesFeaturesInPlaceOfAKernel) {
  const Dataset data = testing::wave(120, 3);
  Gp gp;
  gp.optimize = Gp::Optimize::none;
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const Model exact = fit(gp, kernel, data), approximate = fit(gp, kernel, data, {.approx = "nystrom:60"});
  EXPECT_LE(approximate.fitted.expansion.points.rows(), 60u);
  testing::expect_near(approximate.predict(data.points).values, exact.predict(data.points).values, 1e-3);
  testing::expect_near(approximate.variances(data.points), exact.variances(data.points), 1e-3);
  EXPECT_TRUE(fit(Gp{}, kernel, data, {.approx = "nystrom:60"}).fitted.report.converged);
}

// So many rows that features are computed again in each pass. With A = σ²K_ZZ + K_Zn W K_nZ the mean is
// k_Zᵀ A⁻¹ K_Zn W y, and the variance k(x, x) − k_Zᵀ K_ZZ⁻¹ k_Z + σ² k_Zᵀ A⁻¹ k_Z.
TEST(FeatureGp, OverLandmarksIsTheProjectedProcess) {
  constexpr std::size_t n = 50'000, m = 12;
  Dataset data = testing::wave(n, 3);
  double mean = 0, weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    data.weights.push_back(i % 3 ? 1 : 2);
    mean += data.weights[i] * data.target.values[i];
    weight += data.weights[i];
  }
  mean /= weight;
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  for (const auto optimize : {Gp::Optimize::none, Gp::Optimize::evidence}) {
    Gp gp;
    gp.optimize = optimize;
    gp.noise = 0.2;
    const Model model = fit(gp, kernel, data, {.approx = "nystrom:12"});
    EXPECT_TRUE(model.fitted.report.converged);
    ASSERT_EQ(model.fitted.expansion.points.rows(), m);
    const bool given = optimize == Gp::Optimize::none;
    const double c = given ? 1 : testing::diagnostic(model, "factor"),
                 noise = testing::diagnostic(model, "noise_variance");
    if (given) {
      EXPECT_EQ(noise, 0.2);
    } else {
      EXPECT_NEAR(noise, 0.12, 0.02);  // of a row of weight 1
    }
    const Points& Z = model.fitted.expansion.points;
    const auto between = [&](std::span<const double> x, std::span<const double> z) {
      return c * std::exp(-0.5 * (std::pow(x[0] - z[0], 2) + std::pow(x[1] - z[1], 2)));
    };
    std::vector<double> ZZ(m * m), A(m * m), right(m, 0.0), k(m);
    for (std::size_t e = 0; e < m * m; ++e) ZZ[e] = between(Z.row(e / m), Z.row(e % m)), A[e] = noise * ZZ[e];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) k[j] = between(data.points.row(i), Z.row(j));
      for (std::size_t e = 0; e < m * m; ++e) A[e] += data.weights[i] * k[e / m] * k[e % m];
      for (std::size_t j = 0; j < m; ++j) right[j] += data.weights[i] * k[j] * (data.target.values[i] - mean);
    }
    const Points tried(testing::Table{{0.5, 0.2}, {-2, 0.9}, {3.5, 0}, {40, 40}});
    const std::vector<double> alpha = testing::eliminate(A, right), values = model.predict(tried).values,
                              variances = model.variances(tried);
    for (std::size_t t = 0; t < tried.rows(); ++t) {
      double expected = mean, variance = c;
      for (std::size_t j = 0; j < m; ++j) k[j] = between(tried.row(t), Z.row(j));
      const std::vector<double> of_A = testing::eliminate(A, k), of_Z = testing::eliminate(ZZ, k);
      for (std::size_t j = 0; j < m; ++j) {
        expected += k[j] * alpha[j];
        variance += k[j] * (noise * of_A[j] - of_Z[j]);
      }
      EXPECT_NEAR(values[t], expected, 1e-6) << t;
      EXPECT_NEAR(variances[t], variance, 1e-6 * c) << t;
    }
  }
  Gp each;
  each.ard = true;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(each, kernel, data, {.approx = "nystrom:12"}); }),
            "gp: landmarks are chosen for one width, and ard finds one for each column; leave ard out, or "
            "learn from "
            "fewer rows");
}

}  // namespace
}  // namespace mercer
