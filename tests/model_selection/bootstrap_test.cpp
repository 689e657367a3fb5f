// The interval of a metric against what is known of samples with replacement.
#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

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
