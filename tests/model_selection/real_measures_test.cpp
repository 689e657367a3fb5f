#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

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
