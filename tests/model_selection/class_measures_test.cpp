#include <gtest/gtest.h>

#include "model_selection/random_scores.hpp"
#include "model_selection/measures.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
