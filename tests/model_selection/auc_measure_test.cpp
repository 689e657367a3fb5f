#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

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
