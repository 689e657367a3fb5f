#include "methods/feature_gp.hpp"

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

}  // namespace
}  // namespace mercer
