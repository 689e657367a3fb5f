// Least squares with a penalty on ‖f‖² against the same system solved by elimination.
#include "methods/least_squares.hpp"

#include "elimination.hpp"
#include "mercer/methods/ols.hpp"
#include "mercer/methods/ridge.hpp"
#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::wave;

Dataset with_outputs(Dataset data, std::size_t outputs, bool weighted) {
  Random random(9);
  std::vector<double> values;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t o = 0; o < outputs; ++o)
      values.push_back(data.target.values[i] * double(o + 1) + double(o) * random.normal() + 1);
  data.target.values = std::move(values);
  data.target.outputs = outputs;
  for (std::size_t i = 0; weighted && i < data.rows(); ++i) data.weights.push_back(random.uniform(0.2, 3));
  return data;
}

struct LeastSquaresFit {
  const Dataset& data;
  Kernel kernel;
  FitOptions options{.threads = 1};
  double tolerance = 1e-13;

  Fitted operator()(double c, bool bias) const {
    const Training training{data.points, data.target, data.weights, kernel, options, tolerance};
    Watch watch(options);
    return fit_least_squares(training, Rows(training), watch, c, bias);
  }
};

std::vector<double> sums_of(const Fitted& fitted, const Points& points) {
  std::vector<double> sums(points.rows() * fitted.expansion.outputs());
  fitted.expansion.sums(points, sums, 1);
  for (std::size_t e = 0; e < sums.size(); ++e) sums[e] -= fitted.rho[e % fitted.rho.size()];
  return sums;
}

/// −‖x − z‖^1.4, valid only conditionally.
double minus_distance(const std::vector<double>& x, const std::vector<double>& z) {
  double gap = 0;
  for (std::size_t k = 0; k < x.size(); ++k) gap += (x[k] - z[k]) * (x[k] - z[k]);
  return -std::pow(gap, 0.7);
}

// (K + cW⁻¹)α + b1 = y with 1ᵀα = 0, by elimination over K itself, which is indefinite.
TEST(FitCentred, SolvesTheSystemOfAKernelThatIsValidConditionally) {
  for (const std::size_t outputs : {1u, 3u})
    for (const bool weighted : {false, true})
      for (const double tau2 : {0.4, 0.0}) {
        const Dataset data = with_outputs(wave(31, 1), outputs, weighted);
        const std::size_t n = data.rows();
        std::vector<double> K(n * n);
        for (std::size_t e = 0; e < K.size(); ++e)
          K[e] = minus_distance(data.points.row(e / n), data.points.row(e % n));
        const std::vector<double> w = weighted ? data.weights : std::vector<double>(n, 1.0);
        const auto [alpha, b] = testing::ridge_solution(K, w, data.target.values, outputs, tau2, true);
        const Kernel kernel = Kernel::parse("distance(beta=1.4)");
        const FitOptions options = testing::tight(1e-12);
        const Model model = tau2 > 0 ? fit(Ridge{.tau2 = tau2, .bias = Bias::free}, kernel, data, options)
                                     : fit(Ols{.bias = Bias::free}, kernel, data, options);
        EXPECT_EQ(model.kernel().text(), "distance(beta=1.4)");
        EXPECT_TRUE(model.fitted.report.converged && model.fitted.report.warnings.empty());
        EXPECT_LE(model.fitted.report.violation, 1e-10);
        testing::expect_near(model.fitted.expansion.coefficients, alpha, 1e-7);
        for (std::size_t o = 0; o < outputs; ++o) EXPECT_NEAR(model.fitted.rho[o], -b[o], 1e-7);
        if (tau2 == 0) testing::expect_near(model.predict(data.points).values, data.target.values, 1e-7);
      }
}

// −‖x − z‖² is 2xᵀz up to functions of x and of z alone, and its K is singular.
TEST(FitCentred, OfSquaredDistancesIsLinearRegression) {
  for (const bool weighted : {false, true}) {
    const Dataset data = with_outputs(wave(31, 1), 2, weighted);
    const Points rows = wave(15, 7).points;
    const Kernel squared = Kernel::parse("distance(beta=2)"), linear = Kernel::parse("2*linear");
    testing::expect_near(fit(Ols{.bias = Bias::free}, squared, data).predict(rows).values,
                         fit(Ols{.bias = Bias::free}, linear, data).predict(rows).values, 1e-7);
    const Ridge ridge{.tau2 = 0.3, .bias = Bias::free};
    testing::expect_near(fit(ridge, squared, data).predict(rows).values,
                         fit(ridge, linear, data).predict(rows).values, 1e-7);
  }
}

TEST(FitCentred, SelectsThePenaltyToo) {
  const Dataset data = wave(40, 2);
  const Model model = fit(Ridge{.select = Ridge::Select::loo, .bias = Bias::free}, Kernel::parse("distance"),
                          data),
              centred = fit(Ridge{.select = Ridge::Select::loo, .bias = Bias::free},
                            Kernel::parse("center(distance)"), data);
  const Points rows = wave(15, 7).points;
  testing::expect_near(model.predict(rows).values, centred.predict(rows).values, 1e-6);
}

TEST(LeastSquares, IsTheSolutionOfItsSystem) {
  for (const auto& [expression, value] : testing::plain_kernels)
    for (const std::size_t outputs : {1u, 3u})
      for (const bool weighted : {false, true})
        for (const bool bias : {false, true}) {
          SCOPED_TRACE(expression + (weighted ? " weighted" : "") + (bias ? " with a constant" : ""));
          const Dataset data = with_outputs(wave(31, 1), outputs, weighted);
          const std::size_t n = data.rows();
          const double c = 0.4;
          const Fitted fitted = LeastSquaresFit{data, Kernel::parse(expression)}(c, bias);
          std::vector<double> K(n * n);
          for (std::size_t e = 0; e < K.size(); ++e)
            K[e] = value(data.points.row(e / n), data.points.row(e % n));
          const std::vector<double> w = weighted ? data.weights : std::vector<double>(n, 1.0);
          const auto [alpha, b] = testing::ridge_solution(K, w, data.target.values, outputs, c, bias);
          std::vector<double> f(n * outputs);
          double norm = 0, errors = 0;
          for (std::size_t e = 0; e < f.size(); ++e) {
            for (std::size_t j = 0; j < n; ++j)
              f[e] += K[e / outputs * n + j] * alpha[j * outputs + e % outputs];
            norm += alpha[e] * f[e];
            f[e] += b[e % outputs];
            errors += w[e / outputs] * std::pow(data.target.values[e] - f[e], 2);
          }
          testing::expect_near(sums_of(fitted, data.points), f, 1e-9);
          for (std::size_t o = 0; o < outputs; ++o) EXPECT_NEAR(fitted.rho[o], -b[o], 1e-9);
          if (expression != "linear") testing::expect_near(fitted.expansion.coefficients, alpha, 1e-9);
          const FitReport& report = fitted.report;
          EXPECT_TRUE(report.converged);
          EXPECT_EQ(report.certificate, CertificateKind::relative_residual);
          EXPECT_LE(report.violation, 1e-13);
          EXPECT_NEAR(*report.norm, norm, 1e-9 * norm);
          EXPECT_NEAR(*report.loss, errors / testing::sum_of(w), 1e-9 * errors);
          EXPECT_NEAR(report.objective, (errors + c * norm) / testing::sum_of(w), 1e-9 * (errors + c * norm));
          EXPECT_TRUE(report.warnings.empty());
        }
}

TEST(LeastSquares, SaysThatTheToleranceWasNotReached) {
  const Dataset data = wave(60, 2);
  const FitReport report =
      LeastSquaresFit{data, Kernel::parse("rbf(gamma=0.01)"), {.threads = 1}, 1e-300}(1e-6, false).report;
  EXPECT_FALSE(report.converged);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].text.find("the tolerance was not reached: the residual is "), 0u)
      << report.warnings[0].text;
}

TEST(LeastSquares, StopsWhereItIsToldTo) {
  const Dataset data = wave(200, 2);
  FitOptions hurried{.threads = 1, .seconds = 1e-9},
      stopped{.threads = 1, .progress = [](std::string_view, double) { return false; }};
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [&] {
                      LeastSquaresFit{data, Kernel::parse("rbf(gamma=1)"), hurried}(0.1, false);
                    }),
            "the time was over before there was a model");
  EXPECT_EQ(refusal(ErrorKind::cancelled,
                    [&] {
                      LeastSquaresFit{data, Kernel::parse("rbf(gamma=1)"), stopped}(0.1, false);
                    }),
            "stopped before the end");
}

}  // namespace
}  // namespace mercer
