#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::PlainRisk;

const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");

TEST(Logistic, IsAtTheMinimumOfItsRisk) {
  for (const std::size_t classes : {2u, 3u, 5u})
    for (const Bias bias : {Bias::free, Bias::none})
      for (const double lambda : {0.1, 1e-3}) {
        SCOPED_TRACE(std::to_string(classes) + " classes, bias " + testing::word(bias) + ", lambda " +
                     std::to_string(lambda));
        const Dataset data = testing::blobs(40, classes, 2, 1.5);
        const Model model = fit(Logistic{.lambda = lambda, .bias = bias}, kernel, data, testing::tight(1e-8));
        const AnyLoss& loss = loss_named(classes == 2 ? "logistic" : "multinomial");
        testing::expect_minimum(model, PlainRisk(data, *loss, lambda), bias == Bias::free, 1e-8);
        EXPECT_EQ(model.fitted.rule, Rule::softmax);
        EXPECT_EQ(model.fitted.report.solver.find("Newton's method, "), 0u) << model.fitted.report.solver;
      }
}

// Two classes of the multinomial loss share what the binary one has: f₂ − f₁ = f with twice its penalty of
// each half.
TEST(Logistic, OfTwoClassesIsMultinomialWithTwiceThePrice) {
  const Dataset data = testing::blobs(40, 2, 3, 1.5);
  const std::vector<double> binary =
      fit(Logistic{.lambda = 0.01}, kernel, data, testing::tight(1e-9)).predict(data.points).scores;
  const Model multinomial =
      fit(Rerm{.loss = "multinomial", .lambda = 0.02}, kernel, data, testing::tight(1e-9));
  const std::vector<double> both = multinomial.predict(data.points).scores;
  ASSERT_EQ(both.size(), 80u);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(both[2 * i + 1] - both[2 * i], binary[i], 1e-6);
}

TEST(Logistic, EverySolverComesToTheSame) {
  for (const std::size_t classes : {2u, 3u})
    for (const Bias bias : {Bias::free, Bias::none}) {
      SCOPED_TRACE(std::to_string(classes) + " classes, bias " + testing::word(bias));
      const Dataset data = testing::blobs(40, classes, 4, 1.5);
      const auto differences = [&](const char* expression, const std::string& solver) {
        FitOptions options = testing::tight(1e-8);
        options.solver = solver;
        const Model model =
            fit(Logistic{.lambda = 0.05, .bias = bias}, Kernel::parse(expression), data, options);
        EXPECT_TRUE(model.fitted.report.converged) << solver;
        std::vector<double> scores = model.predict(data.points).scores;
        // Of many classes a constant in all scores means nothing.
        for (std::size_t i = 0; classes > 2 && i < data.rows(); ++i) {
          const double first = scores[i * classes];
          for (std::size_t c = 0; c < classes; ++c) scores[i * classes + c] -= first;
        }
        return scores;
      };
      const std::vector<double> curved = differences("rbf(gamma=0.5)", "cholesky"),
                                flat = differences("linear", "cholesky");
      for (const std::string solver : {"newton", "cg", "gradient", "auto"})
        testing::expect_near(differences("rbf(gamma=0.5)", solver), curved, 1e-5, solver);
      for (const std::string solver : {"primal", "cg", "newton", "auto"})
        testing::expect_near(differences("linear", solver), flat, 1e-5, solver);
    }
}

TEST(Logistic, TheGradientRecursionHasTheSameCoefficients) {
  const Dataset data = testing::blobs(30, 2, 5, 1.5);
  FitOptions slow = testing::tight(1e-9);
  slow.solver = "gradient";
  const Model newton = fit(Logistic{.lambda = 0.1}, kernel, data, testing::tight(1e-9)),
              gradient = fit(Logistic{.lambda = 0.1}, kernel, data, slow);
  testing::expect_near(gradient.fitted.expansion.coefficients, newton.fitted.expansion.coefficients, 1e-6);
  EXPECT_NEAR(gradient.fitted.rho[0], newton.fitted.rho[0], 1e-6);
  EXPECT_EQ(gradient.fitted.report.solver.find("gradient recursion, "), 0u) << gradient.fitted.report.solver;
}

TEST(Logistic, TakesARowTwiceForARowOfWeightTwo) {
  for (const std::size_t classes : {2u, 3u}) {
    Dataset weighted = testing::blobs(30, classes, 6, 1.5);
    weighted.weights.assign(30, 1.0);
    std::vector<std::size_t> rows(30);
    for (std::size_t i = 0; i < 30; ++i) rows[i] = i;
    for (const std::size_t i : {4u, 5u, 19u}) weighted.weights[i] = 2, rows.push_back(i);
    Dataset repeated = testing::choose(weighted, rows);
    repeated.weights.clear();
    const Model one = fit(Logistic{}, kernel, weighted, testing::tight(1e-9)),
                two = fit(Logistic{}, kernel, repeated, testing::tight(1e-9));
    EXPECT_NEAR(one.fitted.report.objective, two.fitted.report.objective, 1e-9);
    testing::expect_near(one.predict(weighted.points).probabilities,
                         two.predict(weighted.points).probabilities, 1e-5);
  }
}

TEST(Logistic, GivesProbabilities) {
  const Dataset data = testing::blobs(30, 3, 7);
  const Predictions p = fit(Logistic{}, kernel, data).predict(data.points);
  ASSERT_EQ(p.probabilities.size(), 90u);
  for (std::size_t i = 0; i < 30; ++i) {
    double total = 0, sum = 0;
    for (std::size_t c = 0; c < 3; ++c)
      total += std::exp(p.scores[i * 3 + c]), sum += p.probabilities[i * 3 + c];
    EXPECT_NEAR(sum, 1, 1e-12);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(p.probabilities[i * 3 + c], std::exp(p.scores[i * 3 + c]) / total, 1e-12);
  }
}

TEST(Logistic, SmallSizes) {
  for (const std::size_t n : {2u, 3u})
    for (const Bias bias : {Bias::free, Bias::none}) {
      const Dataset data = testing::blobs(n, n, 8);
      const Model model = fit(Logistic{.bias = bias}, kernel, data);
      EXPECT_TRUE(model.fitted.report.converged) << n;
      EXPECT_EQ(testing::accuracy(model, data), 1);
    }
}

TEST(Logistic, RefusesWhatMakesNoSense) {
  const Dataset data = testing::blobs(12, 2, 1);
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Logistic{.lambda = 0}, kernel, data); }),
            "logistic: lambda must be > 0, not 0");
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { fit(Logistic{}, kernel, data, {.solver = "smo"}); }),
      "logistic: there is no solver 'smo'; choose from auto, newton, gradient, cholesky, cg, primal, dual");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(Logistic{}, kernel, testing::wave(12, 1)); }),
            "logistic needs classes, but the target is numeric; take a method for numeric targets, or read "
            "it as classes");
  Dataset one = data;
  one.target.labels = {"yes"};
  one.target.codes.assign(12, 0);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(Logistic{}, kernel, one); }),
            "all rows have the label 'yes'; two classes or more are needed");
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Logistic{}, Kernel::parse("sigmoid"), data); })
                .find("not proved positive semidefinite"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Logistic{}, kernel, data, {.solver = "primal"}); })
                .find("has no finite explicit features"),
            std::string::npos);
}

// A kernel that is not positive semidefinite has no guarantee but is taken where it is allowed.
TEST(Logistic, TakesAnIndefiniteKernelWhereItIsAllowed) {
  const Dataset data = testing::blobs(30, 2, 9);
  const Model model = fit(Logistic{.lambda = 0.1}, Kernel::parse("sigmoid(scale=0.1, offset=-0.5)"), data,
                          {.allow_indefinite = true});
  testing::expect_finite(model, data.points);
  EXPECT_FALSE(model.fitted.report.warnings.empty());
}

}  // namespace
}  // namespace mercer
