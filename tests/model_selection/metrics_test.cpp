// Each metric against its definition, written out the slow way.
// The interval of a metric against what is known of samples with replacement.
#include "mercer/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "model_selection/measures.hpp"
#include "model_selection/random_scores.hpp"

namespace mercer {
namespace {

using Codes = std::vector<std::int32_t>;

TEST(Metrics, ClassesAgainstTheDefinitions) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = 1 + random.below(5), n = random.below(30);
    Codes truth, predicted;
    for (std::size_t i = 0; i < n; ++i) {
      truth.push_back(std::int32_t(random.below(classes)));
      predicted.push_back(random.below(2) ? truth.back() : std::int32_t(random.below(classes)));
    }
    const ClassMetrics m = class_metrics(truth, predicted, classes);
    double right = 0, recalls = 0, present = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      double own = 0, hit = 0;
      for (std::size_t i = 0; i < n; ++i)
        if (truth[i] == std::int32_t(c)) own += 1, hit += predicted[i] == truth[i];
      right += hit;
      if (own > 0) recalls += hit / own, present += 1;
      for (std::size_t d = 0; d < classes; ++d) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i)
          count += truth[i] == std::int32_t(c) && predicted[i] == std::int32_t(d);
        EXPECT_EQ(m.confusion[c * classes + d], count);
      }
    }
    EXPECT_EQ(m.n, n);
    EXPECT_NEAR(m.accuracy, n ? right / double(n) : 0, 1e-15);
    EXPECT_NEAR(m.balanced_accuracy, present > 0 ? recalls / present : 0, 1e-15);
  }
}

TEST(Metrics, ABalancedAccuracyCountsClassesNotRows) {
  const ClassMetrics m = class_metrics(Codes{0, 0, 0, 0, 1}, Codes{0, 0, 0, 0, 0}, 3);
  EXPECT_DOUBLE_EQ(m.accuracy, 0.8);
  EXPECT_DOUBLE_EQ(m.balanced_accuracy, 0.5);  // the third class is not there
  EXPECT_EQ(m.confusion, (std::vector<std::size_t>{4, 0, 0, 1, 0, 0, 0, 0, 0}));
}

TEST(Metrics, TheAreaUnderTheCurveIsAPartOfPairs) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(25), levels = 1 + random.below(8);
    std::vector<bool> positive;
    std::vector<double> scores;
    for (std::size_t i = 0; i < n; ++i) {
      positive.push_back(random.below(2));
      scores.push_back(double(random.below(levels)) - 2);  // many ties
    }
    double ordered = 0, pairs = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (positive[i] && !positive[j])
          pairs += 1, ordered += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    const auto area = area_under_roc(positive, scores);
    ASSERT_EQ(area.has_value(), pairs > 0);
    if (area) {
      EXPECT_NEAR(*area, ordered / pairs, 1e-14);
    }
  }
}

TEST(Metrics, TheAreaUnderTheCurveKnowsItsEnds) {
  const std::vector<double> scores{0.1, 0.4, 0.35, 0.8};
  EXPECT_DOUBLE_EQ(*area_under_roc({false, false, true, true}, scores), 0.75);
  EXPECT_DOUBLE_EQ(*area_under_roc({false, true, false, true}, scores), 1);
  EXPECT_DOUBLE_EQ(*area_under_roc({true, false, true, false}, scores), 0);
  EXPECT_DOUBLE_EQ(*area_under_roc({true, false}, std::vector<double>{3, 3}), 0.5);
  EXPECT_FALSE(area_under_roc({true, true}, std::vector<double>{1, 2}));
  EXPECT_FALSE(area_under_roc({}, {}));
}

TEST(Metrics, TheLogarithmicLossIsClipped) {
  Random random(3);
  Codes truth;
  std::vector<double> probabilities;
  double sum = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const double p = random.uniform();
    truth.push_back(std::int32_t(i % 2));
    probabilities.insert(probabilities.end(), {p, 1 - p});
    sum += -std::log(i % 2 ? 1 - p : p);
  }
  EXPECT_NEAR(log_loss(truth, probabilities, 2), sum / 40, 1e-14);
  EXPECT_NEAR(log_loss(Codes{0}, std::vector<double>{0, 1}, 2), -std::log(1e-15), 1e-9);
  EXPECT_EQ(log_loss(Codes{1}, std::vector<double>{0, 1}, 2), 0);
  EXPECT_EQ(log_loss({}, {}, 2), 0);
}

TEST(Metrics, NumbersAgainstTheDefinitions) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 2 + random.below(30);
    std::vector<double> truth, predicted;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      truth.push_back(random.normal());
      predicted.push_back(truth.back() + random.normal());
      mean += truth.back() / double(n);
    }
    double squares = 0, absolute = 0, deviations = 0;
    for (std::size_t i = 0; i < n; ++i) {
      squares += std::pow(truth[i] - predicted[i], 2);
      absolute += std::abs(truth[i] - predicted[i]);
      deviations += std::pow(truth[i] - mean, 2);
    }
    const RealMetrics m = real_metrics(truth, predicted);
    EXPECT_EQ(m.n, n);
    EXPECT_NEAR(m.rmse, std::sqrt(squares / double(n)), 1e-13);
    EXPECT_NEAR(m.mae, absolute / double(n), 1e-13);
    EXPECT_NEAR(m.r2, 1 - squares / deviations, 1e-12);
  }
}

TEST(Metrics, OfSeveralOutputsTheMean) {
  Random random(4);
  for (const std::size_t n : {1, 2, 9}) {
    const std::size_t outputs = 3;
    std::vector<double> truth, predicted;
    for (std::size_t i = 0; i < n * outputs; ++i)
      truth.push_back(random.normal()), predicted.push_back(truth.back() + random.normal());
    const RealMetrics m = real_metrics(truth, predicted, outputs);
    EXPECT_EQ(m.n, n);
    ASSERT_EQ(m.outputs.size(), outputs);
    double rmse = 0, mae = 0, r2 = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
      std::vector<double> own_truth, own_predicted;
      for (std::size_t i = 0; i < n; ++i)
        own_truth.push_back(truth[i * outputs + o]), own_predicted.push_back(predicted[i * outputs + o]);
      const RealMetrics one = real_metrics(own_truth, own_predicted);
      EXPECT_EQ(m.outputs[o].rmse, one.rmse);
      EXPECT_EQ(m.outputs[o].mae, one.mae);
      EXPECT_EQ(m.outputs[o].r2, one.r2);
      rmse += one.rmse, mae += one.mae, r2 += one.r2;
    }
    EXPECT_NEAR(m.rmse, rmse / 3, 1e-14);
    EXPECT_NEAR(m.mae, mae / 3, 1e-14);
    EXPECT_NEAR(m.r2, r2 / 3, 1e-13 * std::abs(r2));
  }
  EXPECT_EQ(real_metrics({}, {}, 2).n, 0u);
}

TEST(Metrics, AConstantTruthHasNoDeviation) {
  const std::vector<double> two{2, 2}, other{2, 3};
  EXPECT_EQ(real_metrics(two, two).r2, 1);
  EXPECT_EQ(real_metrics(two, other).r2, 0);
  EXPECT_EQ(real_metrics({}, {}).n, 0u);
  EXPECT_EQ(real_metrics({}, {}).rmse, 0);
  EXPECT_LT(real_metrics(other, std::vector<double>{9, 9}).r2, 0);  // worse than the mean
}

TEST(Metrics, RandIndexCountsPairsOfRows) {
  EXPECT_EQ(adjusted_rand_index(Codes{0, 0, 1, 1}, Codes{5, 5, 2, 2}), 1);
  // scikit-learn: 0.5714285714285714.
  EXPECT_NEAR(adjusted_rand_index(Codes{0, 0, 1, 1}, Codes{0, 0, 1, 2}), 4.0 / 7, 1e-15);
  EXPECT_NEAR(adjusted_rand_index(Codes{0, 0, 1, 1}, Codes{0, 1, 0, 1}), -0.5, 1e-15);
  EXPECT_EQ(adjusted_rand_index(Codes{}, Codes{}), 1);
  EXPECT_EQ(adjusted_rand_index(Codes{3}, Codes{4}), 1);
  EXPECT_EQ(adjusted_rand_index(Codes{0, 0, 0}, Codes{1, 1, 1}), 1);
  EXPECT_EQ(adjusted_rand_index(Codes{0, 0, 0, 0}, Codes{0, 0, 1, 1}), 0);
}

TEST(Metrics, DensityIsThatOfTheNormalDistribution) {
  // Two rows of two outputs.
  const std::vector<double> truth{1, 2, 3, 4}, predicted{1, 1, 3, 6}, variances{1, 4};
  const double log_two_pi = std::log(2 * M_PI);
  const double expected =
      (0.5 * log_two_pi + 0.5 * log_two_pi + 0.5 + 0.5 * (log_two_pi + std::log(4)) * 2 + 0.5) / 4;
  EXPECT_NEAR(negative_log_density(truth, predicted, variances), expected, 1e-14);
  EXPECT_EQ(negative_log_density({}, {}, {}), 0);
}

TEST(Baseline, OfClassesIsTheMostFrequent) {
  RandomScores rows{classes_of({2, 0, 2, 1, 2, 0}, 4), {}};
  rows.predictions = baseline(rows.truth, rows.truth.size());
  EXPECT_EQ(rows.predictions.codes, std::vector<std::int32_t>(6, 2));
  EXPECT_DOUBLE_EQ(measured("accuracy", rows), 0.5);
  EXPECT_DOUBLE_EQ(measured("balanced_accuracy", rows), 1.0 / 3);
  EXPECT_DOUBLE_EQ(measured("auc", rows), 0.5);
  // The entropy.
  EXPECT_NEAR(measured("log_loss", rows), std::log(2) / 2 + std::log(3) / 3 + std::log(6) / 6, 1e-15);
  EXPECT_NEAR(measured("calibration_error", rows), 0, 1e-15);
  RandomScores two{classes_of({1, 0, 1}, 2), {}};
  two.predictions = baseline(two.truth, two.truth.size());
  EXPECT_EQ(measured("auc", two), 0.5);
}

TEST(Baseline, OfNumbersIsTheMean) {
  RandomScores rows;
  rows.truth = {.task = Task::regression, .values = {1, 10, 3, 20}, .outputs = 2};
  rows.predictions = baseline(rows.truth, rows.truth.size());
  EXPECT_EQ(rows.predictions.values, (std::vector<double>{2, 15, 2, 15}));
  EXPECT_EQ(measured("r2", rows), 0);
  EXPECT_EQ(measured("mae", rows), 3);
}

TEST(Baseline, OfNoRowsIsEmpty) {
  EXPECT_TRUE(baseline(classes_of({}, 2), 0).codes.empty());
  EXPECT_TRUE(baseline({.task = Task::regression}, 0).values.empty());
}

// A sample's accuracy is binomial: the interval of n = 1000 rows of which 800 are right ends near 0.8
// ± 1.96·√(0.8·0.2/1000).
TEST(Bootstrap, OfAnAccuracyIsBinomial) {
  RandomScores rows{classes_of(std::vector<std::int32_t>(1000, 0), 2), {}};
  for (int i = 0; i < 1000; ++i) rows.predictions.codes.push_back(i < 800 ? 0 : 1);
  const Estimate e = bootstrap(metric_named("accuracy"), rows.truth, rows.predictions, {.samples = 20000});
  EXPECT_EQ(e.value, 0.8);
  // Quantiles of the binomial distribution: scipy.stats.binom(1000, .8).ppf([.025, .975]).
  EXPECT_NEAR(e.low, 0.775, 0.0021);
  EXPECT_NEAR(e.high, 0.824, 0.0021);
}

TEST(Bootstrap, OfAMeanIsNormal) {
  Random random(9);
  RandomScores rows;
  rows.truth.task = Task::regression;
  double sum = 0, squares = 0;
  for (int i = 0; i < 2000; ++i) {
    const double error = std::abs(random.normal());
    rows.truth.values.push_back(0);
    rows.predictions.values.push_back(error);
    sum += error, squares += error * error;
  }
  const double mean = sum / 2000, half = 1.6449 * std::sqrt((squares / 2000 - mean * mean) / 2000);
  const Estimate e =
      bootstrap(metric_named("mae"), rows.truth, rows.predictions, {.samples = 5000, .level = 0.9});
  EXPECT_NEAR(e.value, mean, 1e-12);
  EXPECT_NEAR(e.low, mean - half, 0.1 * half);
  EXPECT_NEAR(e.high, mean + half, 0.1 * half);
}

TEST(Bootstrap, HasTheSameBitsForAnyThreadsAndForMetricsTogether) {
  Random random(10);
  const RandomScores rows = random_rows(random, 600, 3);
  std::vector<Metric> all;
  for (const Metric& metric : metrics())
    if (metric.task == Task::classification) all.push_back(metric);
  const auto one = bootstrap(all, rows.truth, rows.predictions, {.samples = 301, .threads = 1});
  const auto three = bootstrap(all, rows.truth, rows.predictions, {.samples = 301, .threads = 3});
  for (std::size_t m = 0; m < all.size(); ++m) {
    const Estimate alone = bootstrap(all[m], rows.truth, rows.predictions, {.samples = 301});
    for (const Estimate& other : {three[m], alone}) {
      EXPECT_EQ(one[m].value, other.value);
      EXPECT_EQ(one[m].low, other.low);
      EXPECT_EQ(one[m].high, other.high);
    }
    EXPECT_EQ(one[m].value, measured(all[m].name, rows));
    EXPECT_LT(one[m].low, one[m].high);
    EXPECT_LE(one[m].low, one[m].value) << all[m].name;
  }
  const Estimate seeded = bootstrap(all[0], rows.truth, rows.predictions, {.samples = 301, .seed = 2});
  EXPECT_TRUE(seeded.low != one[0].low || seeded.high != one[0].high);
}

TEST(Bootstrap, LeavesOutSamplesWithoutAValue) {
  // Half of the samples have one class.
  const RandomScores two{classes_of({0, 1}, 2),
                         {.codes = {0, 1}, .values = {}, .probabilities = {}, .scores = {-1, 1}}};
  const Estimate e = bootstrap(metric_named("auc"), two.truth, two.predictions);
  EXPECT_EQ(e.value, 1);
  EXPECT_EQ(e.low, 1);
  EXPECT_EQ(e.high, 1);
  RandomScores one = two;
  one.truth.codes = {1, 1};
  const Estimate none = bootstrap(metric_named("auc"), one.truth, one.predictions);
  EXPECT_TRUE(std::isnan(none.value) && std::isnan(none.low) && std::isnan(none.high));
  const RandomScores empty{classes_of({}, 2), {}};
  EXPECT_TRUE(std::isnan(bootstrap(metric_named("accuracy"), empty.truth, empty.predictions).high));
}

TEST(Bootstrap, RefusesWhatIsNoSample) {
  const RandomScores rows = twenty_rows();
  const auto with = [&](BootstrapOptions options) {
    return [&rows, options] { bootstrap(metric_named("auc"), rows.truth, rows.predictions, options); };
  };
  expect_refused(with({.samples = 0}), ErrorKind::usage, "at least one sample");
  expect_refused(with({.level = 1}), ErrorKind::usage,
                 "the level of an interval lies between 0 and 1; 1 does not");
  expect_refused(with({.level = NAN}), ErrorKind::usage, "nan does not");
}

}  // namespace
}  // namespace mercer
