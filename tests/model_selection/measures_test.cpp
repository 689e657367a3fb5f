#include "model_selection/measures.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mercer/automatic.hpp"
#include "mercer/loss.hpp"
#include "model_selection/random_scores.hpp"

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
  if (classes == 0) {
    EXPECT_EQ(p.values.size(), data.rows() * p.outputs);
  }
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

// sklearn 1.2.1: accuracy_score, balanced_accuracy_score, f1_score(average="macro"),
// f1_score(average="micro")
TEST(ClassMeasures, AgreeWithScikitLearn) {
  const RandomScores rows = twenty_rows();
  EXPECT_NEAR(measured("accuracy", rows), 0.75, 1e-15);
  EXPECT_NEAR(measured("balanced_accuracy", rows), 0.6616161616161617, 1e-15);
  EXPECT_NEAR(measured("f1_macro", rows), 0.6839464882943144, 1e-15);
  EXPECT_NEAR(measured("f1_micro", rows), 0.75, 1e-15);
}

TEST(ClassMeasures, AgreeWithTheDefinitions) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(20), k = 1 + random.below(5);
    const RandomScores rows = random_rows(random, n, k);
    const auto& t = rows.truth.codes;
    const auto& p = rows.predictions.codes;
    const ClassMetrics m = class_metrics(t, p, k);
    EXPECT_NEAR(measured("accuracy", rows), m.accuracy, 1e-15);
    EXPECT_NEAR(measured("balanced_accuracy", rows), m.balanced_accuracy, 1e-15);
    double f1 = 0, present = 0;
    for (std::int32_t c = 0; c < std::int32_t(k); ++c) {
      double hits = 0, own = 0, named = 0;
      for (std::size_t i = 0; i < n; ++i)
        hits += t[i] == c && p[i] == c, own += t[i] == c, named += p[i] == c;
      if (own + named == 0) continue;
      const double precision = named > 0 ? hits / named : 0, recall = own > 0 ? hits / own : 0;
      f1 += precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
      present += 1;
    }
    EXPECT_NEAR(measured("f1_macro", rows), f1 / present, 1e-14);
  }
}

TEST(ClassMeasures, OneClassThatIsThere) {
  const RandomScores rows{classes_of({1, 1, 1}, 3),
                          {.codes = {1, 0, 1}, .values = {}, .probabilities = {}, .scores = {}}};
  EXPECT_DOUBLE_EQ(measured("balanced_accuracy", rows), 2.0 / 3);
  // 0.8 of class 1, 0 of class 0, which only the predictions have.
  EXPECT_DOUBLE_EQ(measured("f1_macro", rows), 0.4);
}

// sklearn 1.2.1: log_loss, and of two classes brier_score_loss
TEST(ProbabilityMeasures, AgreeWithScikitLearn) {
  EXPECT_NEAR(measured("log_loss", twenty_rows()), 0.6587044361727922, 1e-14);
  EXPECT_NEAR(measured("log_loss", twenty_rows_of_two()), 0.4173468272009561, 1e-14);
  EXPECT_NEAR(measured("brier", twenty_rows_of_two()), 0.12607496435059756, 1e-15);
}

TEST(ProbabilityMeasures, AgreeWithTheDefinitions) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random.below(40), k = 1 + random.below(5);
    const RandomScores rows = random_rows(random, n, k);
    const auto& p = rows.predictions.probabilities;
    double brier = 0, calibration = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < k; ++c)
        brier += std::pow(p[i * k + c] - (rows.truth.codes[i] == std::int32_t(c)), 2) / 2 / double(n);
    for (int bin = 0; bin < 15; ++bin) {
      double right = 0, sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double own = p[i * k + std::size_t(rows.predictions.codes[i])];
        if (!(own * 15 >= bin && (own * 15 < bin + 1 || bin == 14))) continue;
        right += rows.truth.codes[i] == rows.predictions.codes[i];
        sum += own;
      }
      calibration += std::abs(right - sum) / double(n);
    }
    EXPECT_NEAR(measured("brier", rows), brier, 1e-14);
    EXPECT_NEAR(measured("calibration_error", rows), calibration, 1e-14);
    EXPECT_NEAR(measured("log_loss", rows), log_loss(rows.truth.codes, p, k), 1e-13);
  }
}

TEST(ProbabilityMeasures, CertainPredictionsHaveTheEnds) {
  RandomScores rows{classes_of({0, 1}, 2),
                    {.codes = {0, 1}, .values = {}, .probabilities = {1, 0, 0, 1}, .scores = {}}};
  EXPECT_EQ(measured("brier", rows), 0);
  EXPECT_EQ(measured("calibration_error", rows), 0);
  EXPECT_EQ(measured("log_loss", rows), 0);
  rows.truth.codes = {1, 0};
  EXPECT_EQ(measured("brier", rows), 1);
  EXPECT_EQ(measured("calibration_error", rows), 1);
}

// sklearn 1.2.1: mean_squared_error(squared=False), mean_absolute_error, r2_score, mean_pinball_loss (alpha
// 0.5 and 0.9)
TEST(RealMeasures, AgreeWithScikitLearn) {
  const RandomScores rows = twenty_numbers();
  EXPECT_NEAR(measured("rmse", rows), 0.33593472644453465, 1e-15);
  EXPECT_NEAR(measured("mae", rows), 0.29970290050713433, 1e-15);
  EXPECT_NEAR(measured("r2", rows), 0.7614950125159834, 1e-14);
  EXPECT_NEAR(measured("pinball", rows), 0.14985145025356716, 1e-15);
  EXPECT_NEAR(measured("pinball:0.9", rows), 0.1401974633401777, 1e-15);
}

TEST(RealMeasures, OfSeveralOutputsAndRowsDrawnTwice) {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random.below(12), outputs = 1 + random.below(3);
    RandomScores rows;
    rows.truth.task = Task::regression;
    rows.truth.outputs = rows.predictions.outputs = outputs;
    for (std::size_t i = 0; i < n * outputs; ++i)
      rows.truth.values.push_back(random.normal()), rows.predictions.values.push_back(random.normal());
    std::vector<std::size_t> drawn;
    std::vector<double> truth, predicted;
    for (std::size_t i = 0; i < 1 + random.below(9); ++i) {
      drawn.push_back(random.below(n));
      for (std::size_t o = 0; o < outputs; ++o) {
        truth.push_back(rows.truth.values[drawn.back() * outputs + o]);
        predicted.push_back(rows.predictions.values[drawn.back() * outputs + o]);
      }
    }
    const RealMetrics m = real_metrics(truth, predicted, outputs);
    EXPECT_NEAR(measured("rmse", rows, drawn), m.rmse, 1e-13);
    EXPECT_NEAR(measured("mae", rows, drawn), m.mae, 1e-13);
    EXPECT_NEAR(measured("r2", rows, drawn), m.r2, 1e-10 * (1 + std::abs(m.r2)));
    double pinball = 0;
    for (std::size_t e = 0; e < truth.size(); ++e)
      pinball +=
          (truth[e] > predicted[e] ? 0.2 * (truth[e] - predicted[e]) : 0.8 * (predicted[e] - truth[e])) /
          double(truth.size());
    EXPECT_NEAR(measured("pinball:0.2", rows, drawn), pinball, 1e-13);
  }
}

TEST(RealMeasures, AConstantTruthIsAllOrNothing) {
  RandomScores rows;
  rows.truth.task = Task::regression;
  rows.truth.values = rows.predictions.values = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 7};
  EXPECT_EQ(measured("r2", rows), 1);
  rows.predictions.values[0] = 0.2;
  const std::vector<std::size_t> constant{0, 1, 1, 2, 3, 4, 5};
  EXPECT_EQ(measured("r2", rows, constant), 0);
  EXPECT_EQ(real_metrics(std::vector<double>{0.1, 0.1, 0.1}, std::vector<double>{0.1, 0.1, 0.2}).r2, 0);
}

}  // namespace
}  // namespace mercer
