#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
