#include "elimination.hpp"
#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::wave;

std::vector<double> rbf_gram(const Points& points, double gamma) {
  const std::size_t n = points.rows();
  std::vector<double> K(n * n);
  for (std::size_t e = 0; e < K.size(); ++e) K[e] = testing::rbf(points.row(e / n), points.row(e % n), gamma);
  return K;
}

TEST(Ridge, InterpolatesWhereNothingIsAdded) {
  const Dataset data = wave(12, 1);
  const Kernel kernel = Kernel::parse("laplace(lambda=1)");
  for (const Ridge& method : {Ridge{.tau2 = 0}, Ridge{.lambda = 0}, Ridge{.lambda = 5, .tau2 = 0}}) {
    const Model model = fit(method, kernel, data, {.threads = 1});
    EXPECT_TRUE(model.fitted.report.converged && model.fitted.report.warnings.empty());
    testing::expect_near(model.predict(data.points).values, data.target.values, 1e-6);
  }
  // Of equal rows K is singular: of all solutions the one of least norm, and a warning.
  const Dataset twice = testing::choose(data, {0, 1, 2, 3, 0, 1});
  const Model model = fit(Ridge{.tau2 = 0}, kernel, twice, {.threads = 1});
  ASSERT_EQ(model.fitted.report.warnings.size(), 1u);
  EXPECT_TRUE(model.fitted.report.warnings[0].text.starts_with("K is singular"))
      << model.fitted.report.warnings[0].text;
  testing::expect_near(model.predict(twice.points).values, twice.target.values, 1e-6);
}

TEST(Ridge, TakesLambdaOrTheVarianceOfTheNoise) {
  for (const std::size_t n : {1u, 2u, 35u}) {
    const Dataset data = wave(n, 1);
    const std::vector<double> K = rbf_gram(data.points, 0.5), ones(n, 1.0);
    for (const auto& [method, c] :
         {std::pair{Ridge{.lambda = 0.02}, 0.02 * double(n)}, {Ridge{.lambda = 5, .tau2 = 0.3}, 0.3}}) {
      const Model model =
          fit(method, Kernel::parse("rbf(gamma=0.5)"), data, {.tolerance = 1e-12, .threads = 1});
      testing::expect_near(model.fitted.expansion.coefficients,
                           testing::ridge_solution(K, ones, data.target.values, 1, c, false).alpha, 1e-9);
      EXPECT_EQ(model.fitted.rho, std::vector<double>{-0.0});
    }
    const Model free = fit(Ridge{.lambda = 0.02, .bias = Bias::free}, Kernel::parse("rbf(gamma=0.5)"), data,
                           {.tolerance = 1e-12, .threads = 1});
    const auto [alpha, b] = testing::ridge_solution(K, ones, data.target.values, 1, 0.02 * double(n), true);
    testing::expect_near(testing::coefficients_of(free, data.points), alpha, 1e-9);
    EXPECT_NEAR(free.fitted.rho[0], -b[0], 1e-9);
  }
}

TEST(Ridge, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = wave(30, 2);
  weighted.weights.assign(30, 1.0);
  std::vector<std::size_t> rows(30);
  for (std::size_t i = 0; i < 30; ++i) rows[i] = i;
  for (const std::size_t i : {2u, 3u, 17u}) weighted.weights[i] = 2, rows.push_back(i);
  weighted.weights[5] = 0;  // and none for one of weight 0
  rows.erase(rows.begin() + 5);
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  for (const char* kernel : {"rbf(gamma=0.5)", "linear"})
    for (const Ridge& method :
         {Ridge{.lambda = 0.01}, Ridge{.lambda = 0.01, .bias = Bias::free}, Ridge{.tau2 = 0.2}}) {
      const FitOptions options{.tolerance = 1e-12, .threads = 1};
      testing::expect_near(
          fit(method, Kernel::parse(kernel), weighted, options).predict(weighted.points).values,
          fit(method, Kernel::parse(kernel), repeated, options).predict(weighted.points).values, 1e-9);
    }
}

TEST(Ridge, EverySolverComesToTheSame) {
  const Dataset data = wave(80, 3);
  for (const Bias bias : {Bias::none, Bias::free}) {
    const auto values = [&](const char* kernel, const std::string& solver) {
      const Model model = fit(Ridge{.lambda = 0.01, .bias = bias}, Kernel::parse(kernel), data,
                              {.tolerance = 1e-12, .threads = 1, .solver = solver});
      EXPECT_TRUE(model.fitted.report.converged) << solver;
      return model.predict(data.points).values;
    };
    testing::expect_near(values("rbf(gamma=1)", "cg"), values("rbf(gamma=1)", "cholesky"), 1e-9);
    testing::expect_near(values("linear", "cg"), values("linear", "cholesky"), 1e-9);
    testing::expect_near(values("linear", "primal"), values("linear", "cholesky"), 1e-9);
  }
}

// The chosen penalty is the best of the fifty, by models fitted again without each of the rows.
TEST(Ridge, ChoosesThePriceByLeavingRowsOut) {
  const std::size_t n = 16;
  const Dataset data = wave(n, 4);
  const std::vector<double> K = rbf_gram(data.points, 0.5);
  for (const bool bias : {false, true}) {
    double best = INFINITY, best_penalty = 0;
    for (std::size_t l = 0; l < 50; ++l) {
      const double c = 1e-6 * std::pow(1e9, double(l) / 49);
      double errors = 0;
      for (std::size_t out = 0; out < n; ++out) {
        std::vector<double> rest, y;
        for (std::size_t e = 0; e < K.size(); ++e)
          if (e / n != out && e % n != out) rest.push_back(K[e]);
        for (std::size_t i = 0; i < n; ++i)
          if (i != out) y.push_back(data.target.values[i]);
        const auto [alpha, b] = testing::ridge_solution(rest, std::vector<double>(n - 1, 1.0), y, 1, c, bias);
        double error = data.target.values[out] - b[0];
        for (std::size_t i = 0, row = 0; i < n; ++i)
          if (i != out) error -= K[out * n + i] * alpha[row++];
        errors += error * error / double(n);
      }
      if (errors < best) best = errors, best_penalty = c;
    }
    const Bias constant = bias ? Bias::free : Bias::none;
    const Model model = fit(Ridge{.select = Ridge::Select::loo, .bias = constant},
                            Kernel::parse("rbf(gamma=0.5)"), data, {.threads = 1});
    EXPECT_NEAR(testing::diagnostic(model, "tau2"), best_penalty, 1e-9 * best_penalty);
    EXPECT_NEAR(testing::diagnostic(model, "lambda"), best_penalty / double(n), 1e-9 * best_penalty);
    EXPECT_NEAR(testing::diagnostic(model, "leave_one_out_rmse"), std::sqrt(best), 1e-6);
    const Model given = fit(Ridge{.tau2 = best_penalty, .bias = constant}, Kernel::parse("rbf(gamma=0.5)"),
                            data, {.threads = 1});
    testing::expect_near(model.predict(data.points).values, given.predict(data.points).values, 1e-7);
    std::vector<double> A = K, unit(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) A[i * (n + 1)] += best_penalty, unit[i * (n + 1)] = 1;
    const std::vector<double> inverse = testing::eliminate(A, unit, n);
    double trace = 0;
    for (std::size_t e = 0; e < K.size(); ++e) trace += K[e] * inverse[e];
    if (!bias) {
      EXPECT_NEAR(model.fitted.report.degrees_of_freedom.value(), trace, 1e-6);
    }
    const std::string& words = model.fitted.report.solver;
    EXPECT_NE(words.find("regularization path from a band form of K"), std::string::npos) << words;
  }
}

TEST(Ridge, ChoosesWithinTheSamePathByGeneralisedCrossValidation) {
  const Dataset data = wave(90, 5);
  for (const char* kernel : {"linear", "poly(degree=2)", "rbf(gamma=1)"}) {
    const Model loo = fit(Ridge{.select = Ridge::Select::loo}, Kernel::parse(kernel), data, {.threads = 1});
    const Model gcv = fit(Ridge{.select = Ridge::Select::gcv}, Kernel::parse(kernel), data, {.threads = 1});
    EXPECT_LE(testing::diagnostic(loo, "leave_one_out_rmse"), testing::diagnostic(gcv, "leave_one_out_rmse"));
    EXPECT_LE(testing::diagnostic(gcv, "gcv_rmse"), testing::diagnostic(loo, "gcv_rmse"));
    EXPECT_NEAR(testing::diagnostic(gcv, "leave_one_out_rmse"),
                testing::diagnostic(loo, "leave_one_out_rmse"),
                0.1 * testing::diagnostic(loo, "leave_one_out_rmse"));
    EXPECT_TRUE(loo.fitted.report.converged && gcv.fitted.report.converged);
  }
}

TEST(Ridge, OfOneRowThereIsNothingToLeaveOut) {
  EXPECT_EQ(
      refusal(ErrorKind::data,
              [] { fit(Ridge{.select = Ridge::Select::loo}, Kernel::parse("rbf(gamma=1)"), wave(1, 1)); }),
      "a choice of lambda leaves rows out, but there is one row only; give lambda");
  EXPECT_TRUE(
      fit(Ridge{.select = Ridge::Select::loo, .bias = Bias::free}, Kernel::parse("rbf(gamma=1)"), wave(2, 1))
          .fitted.report.converged);
}

TEST(Ridge, RefusesWhatMakesNoSense) {
  const Dataset data = wave(10, 6);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Ridge{.lambda = -1}, kernel, data); }),
            "ridge: lambda must be ≥ 0, not -1");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Ridge{.tau2 = -0.5}, kernel, data); }),
            "ridge: tau2 must be ≥ 0, not -0.5");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Ridge{}, kernel, data, {.solver = "newton"}); }),
            "ridge: there is no solver 'newton'; choose from auto, cholesky, cg, primal, dual");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Ridge{}, kernel, data, {.solver = "primal"}); }),
            "rbf(gamma=1) has no finite explicit features; leave the choice of the solver open, or use a "
            "kernel approximation such as nystrom:2000");
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Ridge{}, Kernel::parse("sigmoid"), data); })
                .find("not proved positive semidefinite"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
