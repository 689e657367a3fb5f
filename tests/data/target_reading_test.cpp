#include "mercer/target_reading.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::libsvm;

/// A LIBSVM text with so many rows of each of the targets 1, 2, 3 …
Dataset with_counts(const std::vector<std::size_t>& rows_of, const ReadOptions& options = {}) {
  std::string text;
  for (std::size_t value = 0; value < rows_of.size(); ++value)
    for (std::size_t i = 0; i < rows_of[value]; ++i) text += std::to_string(value + 1) + " 1:1\n";
  return libsvm(text, options);
}

const std::vector<std::size_t> rings = {1,   1,  15, 57, 115, 259, 391, 568, 689, 634, 487, 267, 203, 126,
                                        103, 67, 58, 42, 32,  26,  14,  6,   9,   2,   1,   1,   2,   1};

TEST(TargetReading, CountsWithRareValuesAreNumbers) {
  const Dataset abalone = with_counts(rings);
  EXPECT_EQ(abalone.target.task, Task::regression);
  EXPECT_EQ(
      target_reading_note(abalone.target)->said(),
      "the target has 28 different whole numbers and is read as numbers (regression); read it as classes");
  // Too few rows of each.
  EXPECT_EQ(with_counts(std::vector<std::size_t>(20, 3)).target.task, Task::regression);
}

TEST(TargetReading, ManyValuesAsOftenAsEachOtherAreClasses) {
  const Dataset letters = with_counts(std::vector<std::size_t>(26, 12));
  EXPECT_EQ(letters.target.task, Task::classification);
  EXPECT_EQ(target_reading_note(letters.target)->said(),
            "the target has 26 different whole numbers and is read as classes; read it as numbers");
}

TEST(TargetReading, FewValuesAreClassesHoweverRare) {
  const Dataset few = with_counts({1, 90, 1, 4, 7, 2, 30, 1, 2, 3});
  EXPECT_EQ(few.target.task, Task::classification);
  EXPECT_FALSE(target_reading_note(few.target));
}

TEST(TargetReading, WhatIsToldIsDone) {
  EXPECT_EQ(with_counts(rings, {.task = Task::classification}).target.labels.size(), 28u);
  EXPECT_EQ(with_counts({5, 5}, {.task = Task::regression}).target.task, Task::regression);
}

TEST(TargetReading, OfOtherTargetsThereIsNothingToSay) {
  EXPECT_FALSE(target_reading_note({}));
  EXPECT_FALSE(target_reading_note(testing::real({1.5, 2, 3})));
  EXPECT_FALSE(target_reading_note(testing::outputs({1, 2, 3, 4}, 2)));
  EXPECT_FALSE(target_reading_note(testing::classes({"a", "b"}, {0, 1})));
}

}  // namespace
}  // namespace mercer
