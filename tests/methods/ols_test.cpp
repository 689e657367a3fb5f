#include "elimination.hpp"
#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::wave;

// The columns of the data and 1, by the normal equations.
std::vector<double> line_values(const Dataset& data, bool bias, std::size_t outputs = 1) {
  const std::size_t n = data.rows(), d = data.points.cols() + bias;
  std::vector<double> A(d * d, 0.0), R(d * outputs, 0.0), f(n * outputs, 0.0);
  const auto row = [&](std::size_t i) {
    std::vector<double> x = data.points.row(i);
    if (bias) x.push_back(1);
    return x;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double w = data.weights.empty() ? 1 : data.weights[i];
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) A[a * d + b] += w * row(i)[a] * row(i)[b];
      for (std::size_t o = 0; o < outputs; ++o)
        R[a * outputs + o] += w * row(i)[a] * data.target.values[i * outputs + o];
    }
  }
  const std::vector<double> weights = testing::eliminate(A, R, outputs);
  for (std::size_t e = 0; e < f.size(); ++e)
    for (std::size_t a = 0; a < d; ++a) f[e] += row(e / outputs)[a] * weights[a * outputs + e % outputs];
  return f;
}

TEST(Ols, OfTheLinearKernelIsLinearRegression) {
  for (const Bias bias : {Bias::none, Bias::free})
    for (const bool weighted : {false, true})
      for (const std::string solver : {"auto", "primal", "cholesky"}) {
        SCOPED_TRACE(testing::word(bias) + " " + solver);
        Dataset data = wave(40, 3);
        for (double& value : data.target.values) value += 5;
        for (std::size_t i = 0; weighted && i < data.rows(); ++i) data.weights.push_back(1 + double(i % 3));
        const Model model =
            fit(Ols{.bias = bias}, Kernel::parse("linear"), data, {.threads = 1, .solver = solver});
        testing::expect_near(model.predict(data.points).values, line_values(data, bias == Bias::free), 1e-8);
        EXPECT_TRUE(model.fitted.report.converged);
        EXPECT_EQ(model.fitted.report.certificate, CertificateKind::normal_equations_residual);
        EXPECT_LE(model.fitted.report.violation, 1e-8);
      }
}

TEST(Ols, PassesThroughThePointsOfARegularKernel) {
  for (const std::size_t n : {1u, 2u, 25u})
    for (const Bias bias : {Bias::none, Bias::free}) {
      const Dataset data = wave(n, 4);
      const Model model = fit(Ols{.bias = bias}, Kernel::parse("rbf(gamma=20)"), data, {.threads = 1});
      testing::expect_near(model.predict(data.points).values, data.target.values, 1e-7);
      EXPECT_TRUE(model.fitted.report.warnings.empty());
      EXPECT_NEAR(*model.fitted.report.loss, 0, 1e-12);
      if (bias == Bias::free) {  // of all constants the one that leaves the least norm: 1ᵀα = 0
        EXPECT_NEAR(testing::sum_of(model.fitted.expansion.coefficients), 0, 1e-7);
      }
    }
}

// Rows that stand twice with two targets: f is their mean, and of all α the shortest shares each pair's
// coefficient.
TEST(Ols, TakesTheLeastNormWhereRowsStandTwice) {
  const Dataset once = wave(12, 5);
  Dataset twice = once;
  testing::Table rows;
  for (std::size_t i = 0; i < 24; ++i) rows.push_back(once.points.row(i % 12));
  twice.points = Points(rows);
  for (std::size_t i = 0; i < 12; ++i) twice.target.values.push_back(once.target.values[i] + 1);
  std::vector<double> K(144), means;
  for (std::size_t e = 0; e < 144; ++e) K[e] = testing::rbf(rows[e / 12], rows[e % 12], 2);
  for (std::size_t i = 0; i < 12; ++i) means.push_back(once.target.values[i] + 0.5);
  std::vector<double> expected = testing::eliminate(K, means);
  for (double& value : expected) value /= 2;
  expected.insert(expected.end(), expected.begin(), expected.end());
  const Model model = fit(Ols{}, Kernel::parse("rbf(gamma=2)"), twice, {.threads = 1});
  testing::expect_near(model.fitted.expansion.coefficients, expected, 1e-7);
  EXPECT_TRUE(model.fitted.report.converged);
  EXPECT_NEAR(*model.fitted.report.loss, 0.25, 1e-9);
  EXPECT_EQ(
      said(model.fitted.report.warnings),
      std::vector<std::string>{
          "K is singular and nothing is added to it: of all solutions the one of least norm was taken"});
  const Model ridge = fit(Ridge{.lambda = 0}, Kernel::parse("rbf(gamma=2)"), twice, {.threads = 1});
  EXPECT_EQ(ridge.fitted.expansion.coefficients, model.fitted.expansion.coefficients);
  // With a constant the function is the limit of ridge regression with ever smaller penalties.
  const Model limit = fit(Ridge{.lambda = 1e-9, .bias = Bias::free}, Kernel::parse("rbf(gamma=2)"), twice,
                          {.tolerance = 1e-12, .threads = 1});
  const Points others = wave(10, 8).points;
  testing::expect_near(fit(Ols{.bias = Bias::free}, Kernel::parse("rbf(gamma=2)"), twice, {.threads = 1})
                           .predict(others)
                           .values,
                       limit.predict(others).values, 1e-5);
}

TEST(Ols, OfAKernelThatIsZeroTheConstantIsTheMean) {
  Dataset data = wave(5, 6);
  data.points = Points(testing::Table(5, {0.0, 0.0}));
  const double mean = testing::sum_of(data.target.values) / 5;
  testing::expect_near(
      fit(Ols{.bias = Bias::free}, Kernel::parse("linear"), data).predict(data.points).values,
      std::vector<double>(5, mean), 1e-12);
  testing::expect_near(fit(Ols{}, Kernel::parse("linear"), data).predict(data.points).values,
                       std::vector<double>(5, 0.0), 1e-12);
}

TEST(Ols, TakesSeveralOutputs) {
  Dataset data = wave(30, 7);
  std::vector<double> values;
  for (const double value : data.target.values)
    values.insert(values.end(), {value, 2 - value, value * value});
  data.target.values = values;
  data.target.outputs = 3;
  for (const Bias bias : {Bias::none, Bias::free})
    testing::expect_near(fit(Ols{.bias = bias}, Kernel::parse("linear"), data).predict(data.points).values,
                         line_values(data, bias == Bias::free, 3), 1e-8);
}

}  // namespace
}  // namespace mercer
