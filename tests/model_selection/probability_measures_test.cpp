#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
