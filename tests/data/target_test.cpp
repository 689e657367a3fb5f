#include <fmt/format.h>

#include <cmath>

#include "data/scratch.hpp"
#include "mercer/target_reading.hpp"

namespace mercer {
namespace {

using testing::classes;
using testing::csv;
using testing::libsvm;
using testing::outputs;
using testing::real;
using testing::refusal;

Dataset with(
    Target target,
    const std::function<double(std::size_t)>& x = [](std::size_t i) { return std::sin(double(i)); }) {
  const std::size_t rows = target.size();
  Dense<double> dense{rows, 2, Buffer<double>(rows * 2)};
  for (std::size_t i = 0; i < rows; ++i) {
    dense.values[2 * i] = std::cos(double(i * i));
    dense.values[2 * i + 1] = x(i);
  }
  target.name = "y";
  return {.points = Points(std::move(dense), {"a", "b"}), .target = std::move(target)};
}

Target classes_of(std::size_t rows, std::size_t count, const std::string& prefix = "c") {
  std::vector<std::string> labels;
  std::vector<std::int32_t> codes;
  for (std::size_t k = 0; k < count; ++k) labels.push_back(fmt::format("{}{}", prefix, k));
  for (std::size_t i = 0; i < rows; ++i) codes.push_back(std::int32_t(i % count));
  return classes(labels, codes);
}

TEST(TargetCheck, AConstantIsNoTarget) {
  EXPECT_EQ(refusal([] {
              check_target(with(classes({"yes"}, {0, 0, 0})));
            }),
            "target 'y' is 'yes' in every row, so there is nothing to learn; name another target column");
  EXPECT_EQ(refusal([] {
              check_target(with(classes({"no", "yes"}, {1, 1})));
            }),
            "target 'y' is 'yes' in every row, so there is nothing to learn; name another target column");
  EXPECT_EQ(refusal([] {
              check_target(with(real({2.5, 2.5, 2.5})));
            }),
            "target 'y' is 2.5 in every row, so there is nothing to learn; name another target column");
  EXPECT_EQ(refusal([] {
              check_target(with(outputs({1, 7, 2, 7}, 2)));
            }),
            "target 'y2' is 7 in every row, so there is nothing to learn; name another target column");
}

TEST(TargetCheck, AClassForEveryRowIsAName) {
  EXPECT_EQ(refusal([] { check_target(with(classes_of(1000, 1000))); }),
            "target 'y' has 1000 classes in 1000 rows: looks like an ID column, not a target; name another "
            "target column");
  EXPECT_EQ(refusal([] { check_target(with(classes_of(30, 20, "1"))); }),
            "target 'y' has 20 classes in 30 rows: looks like an ID column, not a target; name another "
            "target column, or read it as numbers");
  EXPECT_EQ(refusal([] { check_target(with(classes_of(40, 20))); }), "no error");
  EXPECT_EQ(refusal([] { check_target(with(classes_of(3, 3))); }), "no error");
}

TEST(TargetCheck, WhatShouldBeLookedAt) {
  EXPECT_EQ(said(check_target(with(classes({"a", "b", "c"}, {0, 1, 0, 1, 0, 1, 0, 1, 0, 2})))),
            std::vector<std::string>{"a class of target 'y' has one row only: 'c'"});
  EXPECT_EQ(said(check_target(with(classes({"a", "b", "c"}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 2})))),
            std::vector<std::string>{"each of 2 classes of target 'y' has one row only: 'b', 'c'"});
  EXPECT_EQ(said(check_target(with(real({5, 6, 7, 8, 9, 10, 11, 12, 13, 14})))),
            std::vector<std::string>{
                "target 'y' numbers the rows (5, 6, 7 …) and may be an ID; name another target column"});
  EXPECT_TRUE(check_target(with(real({1, 5, 2, 9, 7, 8, 3, 4, 4, 1}))).empty());
  EXPECT_TRUE(check_target({}).empty());
  EXPECT_TRUE(check_target(with(real({1}))).empty());
}

const std::string leak =
    "column 'b' repeats the target: a model that learns from it learns nothing else; drop column b";

TEST(TargetCheck, AColumnThatRepeatsTheTarget) {
  EXPECT_EQ(said(check_target(with(classes_of(30, 3), [](std::size_t i) { return 7 - 2 * double(i % 3); }))),
            std::vector<std::string>{leak});
  // Two classes share a value.
  EXPECT_TRUE(
      check_target(with(classes_of(30, 3), [](std::size_t i) { return double(i % 3 == 1); })).empty());
  EXPECT_TRUE(check_target(with(classes_of(30, 3), [](std::size_t i) {
                return i == 20 ? 9 : double(i % 3);
              })).empty());
  // Too few rows to tell.
  EXPECT_TRUE(check_target(with(classes_of(9, 3), [](std::size_t i) { return double(i % 3); })).empty());
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(std::sin(i * 1.7));
  EXPECT_EQ(said(check_target(with(real(values), [&](std::size_t i) { return 100 - 3 * values[i]; }))),
            std::vector<std::string>{leak});
  EXPECT_EQ(said(check_target(
                with(real(values), [&](std::size_t i) { return values[i] + 1e-4 * std::cos(double(i)); }))),
            std::vector<std::string>{leak});
  EXPECT_TRUE(check_target(with(real(values), [&](std::size_t i) {
                return values[i] + 0.1 * std::cos(double(i));
              })).empty());
  EXPECT_TRUE(check_target(with(real(values), [](std::size_t) { return 0; })).empty());
}

TEST(TargetCheck, ACategoricalColumnThatRepeatsTheTarget) {
  std::string text = "x,animal,code,y\n";
  for (int i = 0; i < 24; ++i)
    text += fmt::format("{},{},{},{}\n", i * i % 7, i % 2 ? "Hund" : "Katze", i % 4 ? "p" : "q",
                        i % 2 ? "dog" : "cat");
  EXPECT_EQ(said(check_target(csv(text))),
            std::vector<std::string>{"column 'animal' repeats the target: a model that learns from it learns "
                                     "nothing else; drop column animal"});
}

TEST(TargetCheck, SparsePointsAreLookedAtForTheirTargetAlone) {
  Dataset data = with(classes_of(30, 3), [](std::size_t i) { return double(i % 3); });
  data.points = data.points.to_sparse();
  EXPECT_TRUE(check_target(data).empty());
}

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
