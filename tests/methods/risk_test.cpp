// Regularised risks of every loss and Ω against double loops, and against their neighbours.
#include "mercer/kernels/precomputed.hpp"
#include "methods/risk.hpp"

#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::PlainRisk;
using testing::word;

const Kernel risk_kernel = Kernel::parse("rbf(gamma=0.5)");

TEST(Risk, OfEverySmoothLossIsAtItsMinimum) {
  for (const AnyLoss& loss : losses())
    for (const Bias bias : {Bias::free, Bias::none})
      for (const bool weighted : {false, true}) {
        if (!loss->smooth()) continue;
        SCOPED_TRACE(std::string(loss->name()) + ", bias " + testing::word(bias) +
                     (weighted ? ", weighted" : ""));
        Dataset data = testing::data_for(*loss, 30);
        for (std::size_t i = 0; weighted && i < data.rows(); ++i) data.weights.push_back(1 + double(i % 4));
        const Model model = fit(Rerm{.loss = std::string(loss->name()), .lambda = 0.01, .bias = bias},
                                risk_kernel, data, testing::tight(1e-8));
        testing::expect_minimum(model, PlainRisk(data, *loss, 0.01), bias == Bias::free, 1e-8);
      }
}

TEST(Risk, OfEveryLossLinearInPiecesHasNoLowerNeighbour) {
  for (const AnyLoss& loss : losses())
    for (const auto omega : {Rerm::Omega::square, Rerm::Omega::norm, Rerm::Omega::fourth}) {
      if (loss->smooth()) continue;
      SCOPED_TRACE(std::string(loss->name()) + " " + word(omega));
      const Dataset data = testing::data_for(*loss, 30);
      const Model model = fit(Rerm{.loss = std::string(loss->name()), .lambda = 0.02, .omega = omega},
                              risk_kernel, data, testing::tight(1e-7));
      const PlainRisk risk(data, *loss, 0.02, omega);
      const auto at = testing::coefficients_and_constant(model, data);
      EXPECT_TRUE(model.fitted.report.converged);
      EXPECT_NEAR(*model.fitted.report.norm, risk.norm(at.A), 1e-8 * (1 + *model.fitted.report.norm));
      EXPECT_NEAR(*model.fitted.report.loss, risk.training_loss(at.A, at.b), 1e-8);
      testing::expect_near(model.predict(data.points).scores, risk.scores(at.A, at.b), 1e-9);
      testing::expect_no_lower(risk, at, true, 1e-6);
    }
}

// Equal rows are one point to the dual.
TEST(Risk, OfRowsThatStandTwiceIsThatOfRowsOfWeightTwo) {
  for (const char* name : {"hinge", "pinball", "epsilon_insensitive", "logistic", "huber"})
    for (const auto omega : {Rerm::Omega::square, Rerm::Omega::norm, Rerm::Omega::fourth}) {
      SCOPED_TRACE(name + (" " + word(omega)));
      Dataset weighted = testing::data_for(*loss_named(name), 24);
      weighted.weights.assign(24, 1.0);
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < 24; ++i) {
        rows.push_back(i);
        if (i % 5 == 1) weighted.weights[i] = 2, rows.push_back(i);
      }
      Dataset repeated = testing::choose(weighted, rows);
      repeated.weights.clear();
      const Rerm method{.loss = name, .lambda = 0.02, .omega = omega};
      const Model one = fit(method, risk_kernel, weighted, testing::tight(1e-8)),
                  two = fit(method, risk_kernel, repeated, testing::tight(1e-8));
      testing::expect_near(two.predict(weighted.points).scores, one.predict(weighted.points).scores, 1e-4);
      EXPECT_NEAR(*two.fitted.report.norm, *one.fitted.report.norm, 1e-4 * (1 + *one.fitted.report.norm));
      EXPECT_NEAR(*two.fitted.report.loss, *one.fitted.report.loss, 1e-5);
      EXPECT_NEAR(two.fitted.report.objective, one.fitted.report.objective,
                  1e-4 * (1 + std::abs(one.fitted.report.objective)));
    }
}

TEST(Risk, OfAnotherRegulariserIsAtItsMinimum) {
  for (const char* name : {"squared", "logistic", "huber", "poisson", "multinomial"})
    for (const auto omega : {Rerm::Omega::norm, Rerm::Omega::fourth})
      for (const double lambda : {0.05, 1e-3}) {
        SCOPED_TRACE(std::string(name) + " " + word(omega) + " " + std::to_string(lambda));
        const Dataset data = testing::data_for(*loss_named(name), 25);
        const Model model = fit(Rerm{.loss = name, .lambda = lambda, .omega = omega}, risk_kernel, data,
                                testing::tight(1e-6));
        EXPECT_GT(*model.fitted.report.norm, 0.01);
        testing::expect_minimum(model, PlainRisk(data, *loss_named(name), lambda, omega), true, 1e-6);
      }
}

// ‖f‖ has a kink at 0: where the gradient of the loss is no longer than λ, nothing is learned but the
// constant.
TEST(Risk, OfALargePriceOnTheNormIsAConstant) {
  for (const char* name : {"squared", "logistic", "multinomial", "poisson", "pinball", "hinge"}) {
    SCOPED_TRACE(name);
    const Dataset data = testing::data_for(*loss_named(name), 25);
    const Model model = fit(Rerm{.loss = name, .lambda = 100, .omega = Rerm::Omega::norm}, risk_kernel, data);
    EXPECT_TRUE(model.fitted.report.converged) << model.fitted.report.violation;
    EXPECT_LT(*model.fitted.report.norm, 1e-12);
    const std::vector<double> scores = model.predict(data.points).scores;
    for (std::size_t e = 0; e < scores.size(); ++e)
      EXPECT_NEAR(scores[e], scores[e % (scores.size() / 25)], 1e-9);
    if (name == std::string("squared")) {
      EXPECT_NEAR(scores[0], testing::sum_of(data.target.values) / 25, 1e-8);
    }
  }
}

TEST(Risk, OfTargetsThatAreAllTheSameIsAConstant) {
  Dataset data = testing::wave(20, 1);
  data.target.values.assign(20, 3.5);
  for (const char* name : {"squared", "huber", "absolute", "epsilon_insensitive", "pinball"})
    for (const auto omega : {Rerm::Omega::square, Rerm::Omega::norm, Rerm::Omega::fourth}) {
      const Model model = fit(Rerm{.loss = name, .omega = omega}, risk_kernel, data);
      EXPECT_TRUE(model.fitted.report.converged)
          << name << ' ' << word(omega) << ' ' << model.fitted.report.violation;
      testing::expect_near(model.predict(data.points).values, std::vector<double>(20, 3.5),
                           name == std::string("epsilon_insensitive") ? 0.1 : 1e-3, name + word(omega));
    }
}

TEST(Risk, OfTheLinearKernelIsTheSameInThePrimal) {
  for (const char* name : {"squared", "logistic", "multinomial", "poisson"})
    for (const bool sparse : {false, true}) {
      SCOPED_TRACE(std::string(name) + (sparse ? " sparse" : ""));
      Dataset data = testing::data_for(*loss_named(name), 50);
      if (sparse) data.points = data.points.to_sparse();
      const auto scores = [&](const std::string& solver) {
        FitOptions options = testing::tight(1e-9);
        options.solver = solver;
        const Model model = fit(Rerm{.loss = name, .lambda = 0.01}, Kernel::parse("linear"), data, options);
        EXPECT_TRUE(model.fitted.report.converged) << solver;
        return model.predict(data.points).scores;
      };
      const std::vector<double> primal = scores("primal");
      // Of classes a constant in all scores of a row means nothing.
      const auto differences = [&](std::vector<double> s) {
        const std::size_t width = s.size() / data.rows();
        for (std::size_t e = 0; width > 1 && e < s.size(); ++e)
          if (e % width != 0) s[e] -= s[e - e % width];
        for (std::size_t e = 0; width > 1 && e < s.size(); e += width) s[e] = 0;
        return s;
      };
      for (const std::string solver : {"cholesky", "cg", "newton", "auto"})
        testing::expect_near(differences(scores(solver)), differences(primal), 1e-6, solver);
    }
}

// Targets in thousands and tens of thousands ask for no more digits; small features leave the work to the
// constant.
TEST(Risk, DoesNotMindTheUnitsOfTheData) {
  for (const char* name : {"squared", "huber", "poisson", "logistic", "squared_hinge", "multinomial"})
    for (const double x_unit : {0.005, 1.0, 200.0})
      for (const double y_unit : {1e-4, 1.0, 3e4}) {
        SCOPED_TRACE(std::string(name) + " x " + std::to_string(x_unit) + " y " + std::to_string(y_unit));
        Dataset data = testing::data_for(*loss_named(name), 30);
        testing::Table rows;
        for (std::size_t i = 0; i < 30; ++i) {
          rows.push_back(data.points.row(i));
          for (double& value : rows.back()) value *= x_unit;
        }
        data.points = Points(rows);
        for (double& value : data.target.values) value *= y_unit;
        for (const char* expression : {"linear", "rbf(gamma=scale)"}) {
          const FitReport report =
              fit(Rerm{.loss = name, .lambda = 0.5}, Kernel::parse(expression), data, {.threads = 1})
                  .fitted.report;
          EXPECT_TRUE(report.converged) << expression << ' ' << report.violation << ' ' << report.iterations;
          EXPECT_LE(report.iterations, 60u) << expression;
        }
      }
}

TEST(Risk, OfATableOfKernelValuesIsTheSame) {
  const Dataset data = testing::blobs(25, 3, 5, 1.5);
  Dataset table = data;
  testing::Table rows(25);
  for (std::size_t i = 0; i < 25; ++i)
    for (std::size_t j = 0; j < 25; ++j)
      rows[i].push_back(testing::rbf(data.points.row(i), data.points.row(j), 0.5));
  table.points = kernel_rows(Points(rows));
  FitOptions options = testing::tight(1e-8);
  options.allow_indefinite = true;
  testing::expect_near(
      fit(Logistic{}, Kernel::parse("precomputed"), table, options).predict(table.points).probabilities,
      fit(Logistic{}, risk_kernel, data, options).predict(data.points).probabilities, 1e-6);
}

TEST(Risk, ClassesOfOneRowAndRowsOfWeightZero) {
  Dataset data = testing::blobs(20, 2, 3);
  for (std::size_t i = 1; i < 20; ++i) data.target.codes[i] = 1;
  for (const char* name : {"logistic", "squared_hinge", "exponential", "multinomial", "hinge"}) {
    const Model model = fit(Rerm{.loss = name}, risk_kernel, data);
    EXPECT_TRUE(model.fitted.report.converged) << name;
    EXPECT_EQ(testing::accuracy(model, data), 1) << name;
  }
  Dataset part = testing::blobs(30, 2, 4);
  part.weights.assign(30, 1.0);
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < 30; ++i)
    if (i % 7 == 3)
      part.weights[i] = 0;
    else
      rest.push_back(i);
  for (const char* name : {"logistic", "hinge"})
    testing::expect_near(
        fit(Rerm{.loss = name}, risk_kernel, part, testing::tight()).predict(part.points).scores,
        fit(Rerm{.loss = name}, risk_kernel, testing::choose(part, rest), testing::tight())
            .predict(part.points)
            .scores,
        1e-4, name);
}

TEST(Risk, GivesWhatItHasWhenTheTimeIsOver) {
  for (const char* name : {"squared", "logistic", "multinomial", "hinge"})
    for (const auto omega : {Rerm::Omega::square, Rerm::Omega::norm}) {
      const Dataset data = testing::data_for(*loss_named(name), 60);
      const FitOptions hurried{.seconds = 1e-9},
          stopped{.keep_on_cancel = true, .progress = [](std::string_view, double) { return false; }};
      for (const FitOptions& options : {hurried, stopped}) {
        const Model model = fit(Rerm{.loss = name, .omega = omega}, risk_kernel, data, options);
        EXPECT_TRUE(model.fitted.report.cut_short) << name;
        EXPECT_FALSE(model.fitted.report.converged) << name;
        testing::expect_finite(model, data.points, name);
      }
    }
}

TEST(Risk, RefusesTargetsThatTheLossDoesNotTake) {
  const Dataset three = testing::blobs(12, 3, 1), real = testing::wave(12, 1), two = testing::blobs(12, 2, 1);
  const auto message = [&](const char* loss, const Dataset& data) {
    return refusal(ErrorKind::data, [&] { fit(Rerm{.loss = loss}, risk_kernel, data); });
  };
  for (const char* name : {"hinge", "logistic", "squared_hinge", "exponential"})
    EXPECT_EQ(message(name, three),
              std::string(name) + " is a loss of two classes, but there are 3; take multinomial, or svm");
  for (const char* name : {"hinge", "logistic", "multinomial"})
    EXPECT_EQ(message(name, real),
              std::string(name) + " needs classes, but the target is numeric; read it as classes");
  Dataset counts = testing::counts(12, 1);
  counts.target.values[6] = -2;
  EXPECT_EQ(message("poisson", counts), "poisson: row 7 has the target -2; it must be a count, ≥ 0");
  Dataset one = two;
  one.target.labels = {"1"};
  one.target.codes.assign(12, 0);
  EXPECT_EQ(message("hinge", one), "all rows have the label '1'; two classes or more are needed");
  EXPECT_EQ(message("multinomial", one), "all rows have the label '1'; two classes or more are needed");
  Dataset several = real;
  several.target.values.resize(24, 1.0);
  several.target.outputs = 2;
  EXPECT_NE(message("squared", several).find("predicts one number, but the target has 2 columns"),
            std::string::npos);
  // Labels that are numbers are numbers to a loss of numbers.
  EXPECT_EQ(message("squared", two), "no error");
}

}  // namespace
}  // namespace mercer
