#include "model_selection/ranking.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"
#include "mercer/metrics.hpp"
#include "model_selection/measures.hpp"
#include "model_selection/random_scores.hpp"

namespace mercer {
namespace {

struct Case {
  std::vector<bool> positive;
  std::vector<double> scores;
};

Case random_case(std::uint64_t seed, std::size_t n) {
  Random random(seed);
  Case c;
  for (std::size_t i = 0; i < n; ++i) {
    c.positive.push_back(i == 0 || (i > 1 && random.uniform() < 0.4));
    c.scores.push_back(double(random.below(8)) + c.positive.back());  // many ties
  }
  return c;
}

TEST(Ranking, TheRocCurveCountsRowsAboveEachThreshold) {
  const Case c = random_case(1, 57);
  const RankingCurve curve = roc_curve(c.positive, c.scores);
  const std::set<double, std::greater<>> thresholds(c.scores.begin(), c.scores.end());
  ASSERT_EQ(curve.x.size(), thresholds.size() + 1);
  std::size_t at = 1;
  for (const double threshold : thresholds) {
    double counts[2] = {0, 0}, totals[2] = {0, 0};
    for (std::size_t i = 0; i < c.scores.size(); ++i)
      totals[c.positive[i]] += 1, counts[c.positive[i]] += c.scores[i] >= threshold;
    EXPECT_DOUBLE_EQ(curve.x[at], counts[0] / totals[0]);
    EXPECT_DOUBLE_EQ(curve.y[at++], counts[1] / totals[1]);
  }
}

TEST(Ranking, TheAreaUnderTheRocCurveIsTheAuc) {
  for (const std::size_t n : {2, 3, 10, 101}) {
    const Case c = random_case(n, n);
    const RankingCurve curve = roc_curve(c.positive, c.scores);
    double area = 0;
    for (std::size_t i = 1; i < curve.x.size(); ++i)
      area += (curve.x[i] - curve.x[i - 1]) * (curve.y[i] + curve.y[i - 1]) / 2;
    EXPECT_NEAR(area, *area_under_roc(c.positive, c.scores), 1e-12);
    EXPECT_EQ(curve.x.back(), 1);
    EXPECT_EQ(curve.y.back(), 1);
  }
}

TEST(Ranking, PrecisionAndRecallOfASmallCase) {
  // From the top: +, −, {+, −} tied, +, −. scikit-learn 1.2: average_precision_score gives 0.7.
  const std::vector<bool> positive{true, false, true, false, true, false};
  const std::vector<double> scores{5, 4, 3, 3, 2, 1};
  const RankingCurve curve = precision_recall_curve(positive, scores);
  EXPECT_EQ(curve.x, (std::vector<double>{1 / 3., 2 / 3., 1}));
  EXPECT_EQ(curve.y, (std::vector<double>{1, 0.5, 0.6}));
  EXPECT_NEAR(average_precision(curve), 0.7, 1e-12);
  EXPECT_EQ(average_precision(precision_recall_curve({true}, std::vector<double>{0})), 1);
}

// sklearn 1.2.1: roc_auc_score, of three classes with multi_class="ovo"
TEST(AucMeasure, AgreesWithScikitLearn) {
  EXPECT_NEAR(measured("auc", twenty_rows()), 0.9356060606060606, 1e-15);
  EXPECT_NEAR(measured("auc", twenty_rows_of_two()), 0.9166666666666666, 1e-15);
}

// Pairs of a row of class a and one of class b, by a score that is large for a.
template <class Score>
std::optional<double> area(const Target& truth, std::int32_t a, std::int32_t b, Score score) {
  double ordered = 0, pairs = 0;
  for (std::size_t i = 0; i < truth.codes.size(); ++i)
    for (std::size_t j = 0; j < truth.codes.size(); ++j)
      if (truth.codes[i] == a && truth.codes[j] == b)
        pairs += 1, ordered += score(i) > score(j) ? 1 : score(i) == score(j) ? 0.5 : 0;
  return pairs > 0 ? std::optional(ordered / pairs) : std::nullopt;
}

double mean_area(const std::vector<double>& areas) {
  double sum = 0;
  for (const double one : areas) sum += one;
  return areas.empty() ? NAN : sum / double(areas.size());
}

void expect_same(double a, double b) {
  if (std::isnan(b))
    EXPECT_TRUE(std::isnan(a));
  else
    EXPECT_NEAR(a, b, 1e-14);
}

TEST(AucMeasure, CountsPairsOfRows) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(15), k = 3 + random.below(3), pairs = k * (k - 1) / 2;
    RandomScores rows = random_rows(random, n, k);
    Predictions& p = rows.predictions;
    std::vector<double> by_class, by_probability, by_pair;
    const auto all_pairs = [&](const std::vector<double>& numbers) {
      std::vector<double> areas;
      for (std::size_t a = 0; a < k; ++a)
        for (std::size_t b = 0; b < k; ++b)
          if (a != b)
            if (const auto one = area(rows.truth, std::int32_t(a), std::int32_t(b),
                                      [&](std::size_t i) { return numbers[i * k + a]; }))
              areas.push_back(*one);
      return mean_area(areas);
    };
    expect_same(measured("auc", rows), all_pairs(p.probabilities));
    p.probabilities.clear();
    expect_same(measured("auc", rows), all_pairs(p.scores));
    p.pairs = true;
    p.width = pairs;
    p.scores.clear();
    for (std::size_t i = 0; i < n * pairs; ++i) p.scores.push_back(double(random.below(4)));
    std::size_t pair = 0;
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = a + 1; b < k; ++b, ++pair)
        if (const auto one = area(rows.truth, std::int32_t(a), std::int32_t(b),
                                  [&](std::size_t i) { return p.scores[i * pairs + pair]; }))
          by_pair.push_back(*one);
    expect_same(measured("auc", rows), mean_area(by_pair));
  }
}

TEST(AucMeasure, OfTwoClassesIsTheArea) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    RandomScores rows = random_rows(random, 1 + random.below(20), 2);
    Predictions& p = rows.predictions;
    std::vector<bool> positive;
    std::vector<double> scores;
    for (std::size_t i = 0; i < rows.truth.codes.size(); ++i)
      positive.push_back(rows.truth.codes[i] == 1), scores.push_back(p.scores[2 * i + 1] - p.scores[2 * i]);
    const double expected = area_under_roc(positive, scores).value_or(NAN);
    expect_same(measured("auc", rows), expected);
    p.scores = scores;
    p.width = 1;
    expect_same(measured("auc", rows), expected);
    p.scores.clear();
    scores.clear();
    for (std::size_t i = 0; i < positive.size(); ++i) scores.push_back(p.probabilities[2 * i + 1]);
    expect_same(measured("auc", rows), area_under_roc(positive, scores).value_or(NAN));
  }
}

TEST(AucMeasure, IsNotDefinedOfOneClass) {
  Random random(5);
  EXPECT_TRUE(std::isnan(measured("auc", random_rows(random, 5, 1))));
  RandomScores rows = random_rows(random, 6, 3);
  rows.truth.codes.assign(6, 2);
  EXPECT_TRUE(std::isnan(measured("auc", rows)));
}

TEST(AucMeasure, NeedsScores) {
  Random random(6);
  RandomScores rows = random_rows(random, 6, 4);
  rows.predictions.probabilities.clear();
  rows.predictions.scores.resize(6);
  rows.predictions.width = 1;
  expect_refused([&] { measured("auc", rows); }, ErrorKind::usage,
                 "auc of 4 classes needs a score or a probability of each class or pair of classes; the "
                 "predictions have 1 scores a row");
}

}  // namespace
}  // namespace mercer
