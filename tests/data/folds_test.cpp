#include "mercer/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mercer {
namespace {

TEST(RandomFolds, GiveEachFoldItsShareOfEachClass) {
  Target target{.task = Task::classification, .labels = {"a", "b", "c"}};
  for (int i = 0; i < 103; ++i) target.codes.push_back(i % 7 == 0 ? 0 : i % 3 == 0 ? 1 : 2);
  const auto fold = random_folds(target, 5, 3);
  ASSERT_EQ(fold.size(), 103u);
  for (std::int32_t c = 0; c < 3; ++c) {
    std::vector<int> counts(5, 0);
    for (std::size_t i = 0; i < fold.size(); ++i) counts.at(fold[i]) += target.codes[i] == c;
    const auto [least, most] = std::ranges::minmax(counts);
    EXPECT_LE(most - least, 1) << "class " << c;
  }
}

TEST(RandomFolds, AreDrawnFromTheSeed) {
  const Target target{.task = Task::regression, .values = std::vector<double>(40, 1.0)};
  EXPECT_EQ(random_folds(target, 4, 1), random_folds(target, 4, 1));
  EXPECT_NE(random_folds(target, 4, 1), random_folds(target, 4, 2));
}

TEST(RandomFolds, OfNoRowsAreNone) { EXPECT_TRUE(random_folds(Target{}, 5, 1).empty()); }

}  // namespace
}  // namespace mercer
