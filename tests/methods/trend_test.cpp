// Thin plates against the bordered system of the books, by elimination.
#include "methods/trend.hpp"

#include "elimination.hpp"
#include "methods/problems.hpp"
#include "mercer/explain.hpp"

namespace mercer {
namespace {

double plate(const std::vector<double>& x, const std::vector<double>& z) {
  double square = 0;
  for (std::size_t j = 0; j < x.size(); ++j) square += (x[j] - z[j]) * (x[j] - z[j]);
  return square > 0 ? square * std::log(square) / 2 : 0;
}

// [K + cW⁻¹, P; Pᵀ, 0] for P = [1, X]; the answers at `at`, rows × outputs.
std::vector<double> textbook(const Dataset& data, double c, const Points& at, double& penalty) {
  const std::size_t n = data.rows(), d = data.points.cols(), size = n + d + 1, outputs = data.target.outputs;
  std::vector<double> A(size * size, 0), R(size * outputs, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> x = data.points.row(i);
    for (std::size_t j = 0; j < n; ++j) A[i * size + j] = plate(x, data.points.row(j));
    A[i * size + i] += c / (data.weights.empty() ? 1 : data.weights[i]);
    for (std::size_t j = 0; j <= d; ++j) A[i * size + n + j] = A[(n + j) * size + i] = j == 0 ? 1 : x[j - 1];
    for (std::size_t o = 0; o < outputs; ++o) R[i * outputs + o] = data.target.values[i * outputs + o];
  }
  const std::vector<double> X = testing::eliminate(A, R, outputs);
  std::vector<double> found(at.rows() * outputs, 0);
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t o = 0; o < outputs; ++o) {
      double& f = found[i * outputs + o] = X[n * outputs + o];
      for (std::size_t j = 0; j < n; ++j) f += X[j * outputs + o] * plate(at.row(i), data.points.row(j));
      for (std::size_t j = 0; j < d; ++j) f += X[(n + 1 + j) * outputs + o] * at.row(i)[j];
    }
  penalty = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t o = 0; o < outputs; ++o)
        penalty += X[i * outputs + o] * X[j * outputs + o] * plate(data.points.row(i), data.points.row(j));
  return found;
}

TEST(Trend, RidgeWithThinPlatesSolvesTheBorderedSystem) {
  for (const std::size_t n : {4u, 17u, 60u})
    for (const bool weighted : {false, true})
      for (const double tau : {1e-3, 0.5}) {
        SCOPED_TRACE(std::to_string(n) + " rows, tau2 " + std::to_string(tau));
        Dataset data = testing::wave(n, n);
        data.target.outputs = 2;
        std::vector<double> both;
        for (std::size_t i = 0; i < n; ++i) {
          both.push_back(data.target.values[i]);
          both.push_back(3 - data.points.row(i)[1] * data.points.row(i)[0]);
          if (weighted) data.weights.push_back(0.5 + double(i % 3));
        }
        data.target.values = both;
        const Points at = testing::wave(9, 77).points;
        const Model model = fit(Ridge{.tau2 = tau, .bias = Bias::free}, Kernel::parse("thin_plate"), data,
                                testing::tight(1e-9));
        double penalty = 0;
        const std::vector<double> right = textbook(data, tau, at, penalty);
        testing::expect_near(model.predict(at).values, right, 1e-8);
        EXPECT_NEAR(*model.fitted.report.norm, penalty, 1e-7 * (1 + penalty));
        EXPECT_GE(*model.fitted.report.norm, 0);
        EXPECT_TRUE(model.fitted.report.converged);
        // a file keeps the trend
        const Model back = Model::from_bytes(model.bytes());
        EXPECT_EQ(back.predict(at).values, model.predict(at).values);
      }
}

TEST(Trend, InterpolatesWithoutAPenaltyAndGivesLinesBackExactly) {
  Dataset data = testing::wave(30, 3);
  const Model through = fit(Ols{.bias = Bias::free}, Kernel::parse("thin_plate"), data);
  testing::expect_near(through.predict(data.points).values, data.target.values, 1e-9);
  for (std::size_t i = 0; i < 30; ++i)
    data.target.values[i] = 2 + 3 * data.points.row(i)[0] - data.points.row(i)[1];
  const Model line = fit(Ridge{.lambda = 10, .bias = Bias::free}, Kernel::parse("thin_plate"), data);
  const Points far(testing::Table{{100, -50}, {0, 0}});
  testing::expect_near(line.predict(far).values, {352, 2}, 1e-7);
  EXPECT_NEAR(*line.fitted.report.norm, 0, 1e-12);
}

// Columns that say the same as others, or the same for all rows, and a single row.
TEST(Trend, TakesColumnsThatDependOnOthers) {
  Dataset data = testing::wave(20, 5);
  Dataset more = data;
  testing::Table rows;
  for (std::size_t i = 0; i < 20; ++i) {
    const std::vector<double> x = data.points.row(i);
    rows.push_back({x[0], x[1], 7, x[0] + x[1]});
  }
  more.points = Points(rows);
  const Model model = fit(Ridge{.tau2 = 0.1, .bias = Bias::free}, Kernel::parse("thin_plate"), more);
  EXPECT_TRUE(model.fitted.report.converged);
  Dataset one;
  one.points = Points(testing::Table{{1, 2}});
  one.target = {Task::regression, "", {}, {}, {5}};
  EXPECT_NEAR(fit(Ridge{.bias = Bias::free}, Kernel::parse("thin_plate"), one).predict(one.points).values[0],
              5, 1e-12);
}

TEST(Trend, IsPartOfAnExplanation) {
  const Dataset data = testing::wave(25, 2);
  const Model model = fit(Ridge{.tau2 = 0.1, .bias = Bias::free}, Kernel::parse("thin_plate"), data, {},
                          Scaling::Kind::standard);
  const std::vector<std::size_t> rows{3};
  const Explanation e = explain(model, data.points, rows, {.examples = 100})[0];
  double sum = e.others + e.self + e.trend + e.constant;
  for (const Contribution& one : e.examples) sum += one.amount;
  EXPECT_NEAR(sum, e.score, 1e-9);
  EXPECT_NE(e.trend, 0);
}

TEST(Trend, RefusesWhatItCannotTake) {
  const Dataset data = testing::wave(12, 2);
  const auto said = [&](ErrorKind kind, const AnyMethod& method, const FitOptions& options = {}) {
    return refusal(kind, [&] { fit(method, Kernel::parse("thin_plate"), data, options); });
  };
  EXPECT_NE(said(ErrorKind::usage, Ridge{}).find("without a free bias"), std::string::npos);
  EXPECT_NE(said(ErrorKind::usage, Svr{}).find("ridge and ols with bias=free take it"), std::string::npos);
  EXPECT_NE(
      said(ErrorKind::usage, Ridge{.select = Ridge::Select::loo, .bias = Bias::free}).find("give lambda"),
      std::string::npos);
  EXPECT_NE(said(ErrorKind::budget, Ridge{.bias = Bias::free}, {.memory = 1000}).find("held twice"),
            std::string::npos);
  EXPECT_NE(said(ErrorKind::usage, Ridge{.bias = Bias::free}, {.solver = "cg"}).find("Cholesky"),
            std::string::npos);
  EXPECT_EQ(
      said(ErrorKind::usage, Ridge{.bias = Bias::free}, {.approx = "nystrom:5"}),
      "thin_plate is positive semidefinite only conditionally and has no features to approximate; leave the "
      "approximation out");
  Dataset twice = data;
  twice.points = data.points.select_rows(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10});
  twice.target.values[11] += 1;
  try {  // equal rows with other targets: refused, or said not to be reached
    EXPECT_FALSE(fit(Ols{.bias = Bias::free}, Kernel::parse("thin_plate"), twice).fitted.report.converged);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot tell all rows apart"), std::string::npos);
  }
}

}  // namespace
}  // namespace mercer
