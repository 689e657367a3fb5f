#include "model_selection/ranking.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"
#include "mercer/metrics.hpp"

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

}  // namespace
}  // namespace mercer
