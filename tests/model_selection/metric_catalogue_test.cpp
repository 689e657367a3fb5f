#include <gtest/gtest.h>

#include <set>

#include "mercer/automatic.hpp"
#include "mercer/loss.hpp"
#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

TEST(MetricCatalogue, HasEveryNameOnce) {
  std::set<std::string> names;
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second);
    EXPECT_FALSE(metric.summary.empty());
    EXPECT_EQ(metric_named(metric.name).name, metric.name);
    const bool loss =
        std::set<std::string>{"log_loss", "brier", "calibration_error", "rmse", "mae", "pinball"}.contains(
            metric.name);
    EXPECT_EQ(metric.larger_is_better, !loss) << metric.name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"accuracy", "balanced_accuracy", "f1_macro", "f1_micro", "auc", "log_loss",
                                   "brier", "calibration_error", "rmse", "mae", "r2", "pinball"}));
}

TEST(MetricCatalogue, SuggestsANameForAnUnknownOne) {
  expect_refused([] { metric_named("acuracy"); }, ErrorKind::usage,
                 "unknown metric 'acuracy'; did you mean 'accuracy'?");
  expect_refused([] { metric_named(""); }, ErrorKind::usage,
                 "unknown metric ''; choose from accuracy, balanced_accuracy");
  expect_refused([] { metric_named("rmse:0.5"); }, ErrorKind::usage, "unknown metric 'rmse:0.5'");
}

TEST(MetricCatalogue, AQuantileHasALevel) {
  EXPECT_EQ(metric_named("pinball").level, 0.5);
  EXPECT_EQ(metric_named("pinball:0.9").level, 0.9);
  EXPECT_EQ(metric_named("pinball:0.9").name, "pinball:0.9");
  for (const char* wrong : {"pinball:", "pinball:0", "pinball:1", "pinball:-0.1", "pinball:nan",
                            "pinball:0.5x", "pinball:0.5:0.5", "pinball:x"})
    expect_refused([&] { metric_named(wrong); }, ErrorKind::usage, "lies between 0 and 1");
}

TEST(MetricCatalogue, RowsDrawnTwiceCountTwice) {
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 2 + random.below(12), k = 2 + random.below(3);
    const RandomScores rows = random_rows(random, n, k);
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < n; ++i) drawn.push_back(random.below(n));
    RandomScores written{rows.truth.select_rows(drawn), rows.predictions};
    Predictions& p = written.predictions;
    p.codes.clear(), p.scores.clear(), p.probabilities.clear();
    for (const std::size_t i : drawn) {
      p.codes.push_back(rows.predictions.codes[i]);
      for (std::size_t c = 0; c < k; ++c)
        p.scores.push_back(rows.predictions.scores[i * k + c]),
            p.probabilities.push_back(rows.predictions.probabilities[i * k + c]);
    }
    for (const Metric& metric : metrics()) {
      if (metric.task != Task::classification) continue;
      const double expected = measured(metric.name, written), got = measured(metric.name, rows, drawn);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got)) << metric.name;
      else
        EXPECT_NEAR(got, expected, 1e-13) << metric.name;
    }
  }
}

TEST(MetricCatalogue, NothingIsDefinedOfNoRows) {
  RandomScores none{classes_of({}, 2), {}};
  for (const Metric& metric : metrics()) {
    none.truth.task = metric.task;
    EXPECT_TRUE(std::isnan(measured(metric.name, none))) << metric.name;
  }
}

TEST(MetricCatalogue, NumbersInTheLabelsAreNumbers) {
  RandomScores rows{{.task = Task::classification, .labels = {"1", "2.5"}, .codes = {1, 0, 1}},
                    {.codes = {}, .values = {2, 1, 3}, .probabilities = {}, .scores = {}}};
  EXPECT_DOUBLE_EQ(measured("mae", rows), 1.0 / 3);
}

TEST(MetricCatalogue, RefusesPredictionsThatLackWhatItNeeds) {
  RandomScores rows = twenty_rows();
  rows.predictions.probabilities.clear();
  expect_refused([&] { measured("log_loss", rows); }, ErrorKind::usage,
                 "log_loss needs probabilities of the classes, and the predictions have none; fit the model "
                 "with probabilities");
  expect_refused([&] { measured("rmse", rows); }, ErrorKind::usage,
                 "rmse compares numbers, and the predictions are classes; accuracy compares those");
  rows.predictions.codes.pop_back();
  expect_refused([&] { measured("accuracy", rows); }, ErrorKind::data,
                 "there are 19 predictions to compare with 20 of the truth");
  expect_refused([&] { measured("accuracy", twenty_numbers()); }, ErrorKind::usage,
                 "accuracy compares classes, and the truth has none; rmse compares numbers");
  expect_refused(
      [&] {
        measured("accuracy", {rows.truth, twenty_numbers().predictions});
      },
      ErrorKind::usage, "accuracy compares classes, and the predictions are numbers; rmse compares those");
}

TEST(MetricCatalogue, AMeanOfCounts) {
  const Measure half = mean_of(3, [](std::size_t i) { return double(i); });
  EXPECT_DOUBLE_EQ(half(std::vector<double>{1, 0, 3}), 1.5);
  EXPECT_DOUBLE_EQ(mean(std::vector<double>{2, 2}, std::vector<double>{1, 4}), 2.5);
}

// Rows of `classes` classes about the corners of a square; the labels are numbers, so that losses of numbers
// take them too.
Dataset numbered_classes(std::size_t classes) {
  Random random(12);
  Dataset data;
  data.target.task = Task::classification;
  std::vector<std::vector<double>> rows;
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
  for (std::size_t i = 0; i < 8 * classes; ++i) {
    const std::size_t c = i % classes;
    rows.push_back({2 * double(c % 2) + 0.7 * random.normal(), 2 * double(c / 2) + 0.7 * random.normal()});
    data.target.codes.push_back(std::int32_t(c));
  }
  data.points = Points(rows);
  return data;
}

std::vector<AnyMethod> every_method_and_loss() {
  std::vector<AnyMethod> all(methods());
  for (const std::string_view loss : loss_names()) {
    all.push_back(method_named("rerm"));
    all.back()->set("loss", Word{std::string(loss)});
  }
  return all;
}

// A model with probabilities predicts: a distribution over the classes, or numbers.
void expect_whole_predictions(const Model& model, const Dataset& data) {
  const Predictions p = model.predict(data.points, 1);
  const std::size_t classes = model.labels.size();
  EXPECT_EQ(p.codes.size(), classes > 0 ? data.rows() : 0u);
  if (classes == 0) EXPECT_EQ(p.values.size(), data.rows() * p.outputs);
  if (classes == 0 || p.probabilities.empty()) return;
  ASSERT_EQ(p.probabilities.size(), data.rows() * classes);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += p.probabilities[i * classes + c];
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(MetricCatalogue, EveryMethodAndLossFitsWithProbabilitiesOrSaysWhyNot) {
  std::size_t fitted = 0;
  for (const std::size_t classes : {2, 3}) {
    const Dataset data = numbered_classes(classes);
    for (const AnyMethod& method : every_method_and_loss()) {
      SCOPED_TRACE(std::string(method->name()) + ", " + std::to_string(classes) + " classes");
      try {
        expect_whole_predictions(
            fit(method, Kernel::parse("rbf(gamma=0.5)"), data, {.threads = 1, .probabilities = true}), data);
        ++fitted;
      } catch (const Error& error) {
        EXPECT_GT(std::string_view(error.what()).size(), 20u);
      }
    }
  }
  EXPECT_GT(fitted, 40u);
}

TEST(MetricCatalogue, EveryMethodAndLossIsJudgedByEveryMetricOrSaysWhyNot) {
  for (const std::size_t classes : {2, 3}) {
    const Dataset data = numbered_classes(classes);
    for (const AnyMethod& method : every_method_and_loss())
      for (const Metric& metric : metrics()) {
        SCOPED_TRACE(std::string(method->name()) + ", " + metric.name + ", " + std::to_string(classes) +
                     " classes");
        AutomaticOptions options{
            .search = false, .method = method, .kernel = Kernel::parse("rbf(gamma=0.5)")};
        options.tune = {.metric = metric.name, .folds = 2, .fit = {.threads = 1}};
        try {
          const AutomaticFit made = fit_automatically(data, options);
          EXPECT_TRUE(std::isfinite(made.score.value));
        } catch (const Error& error) {
          EXPECT_GT(std::string_view(error.what()).size(), 20u);
        }
      }
  }
}

// A loss of numbers sees classes whose labels are numbers as numbers: the noise is that of the same numbers
// read as such.
TEST(MetricCatalogue, NumbersReadAsClassesHaveTheNoiseOfTheNumbers) {
  Dataset classes = numbered_classes(3), numbers = classes;
  numbers.target = {.task = Task::regression, .values = classes.target.numbers()};
  const FitOptions options{.threads = 1, .probabilities = true, .folds = [] {
                             std::vector<std::size_t> folds;
                             for (std::size_t i = 0; i < 24; ++i) folds.push_back(i % 4);
                             return folds;
                           }()};
  AnyMethod rerm = method_named("rerm");
  for (const char* loss : {"squared", "absolute", "huber", "pinball", "epsilon_insensitive"}) {
    rerm->set("loss", Word{loss});
    const auto noise = [&](const Dataset& data) {
      return fit(rerm, Kernel::parse("rbf(gamma=0.5)"), data, options).fitted.noise_scale;
    };
    ASSERT_TRUE(noise(classes)) << loss;
    EXPECT_EQ(noise(classes), noise(numbers)) << loss;
  }
}

}  // namespace
}  // namespace mercer
