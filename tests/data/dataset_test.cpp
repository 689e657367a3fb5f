#include <gtest/gtest.h>

#include <algorithm>

#include "data/scratch.hpp"
#include "mercer/dataset.hpp"
#include "mercer/folds.hpp"

namespace mercer {
namespace {

TEST(Dataset, SelectsRowsWithAllThatBelongsToThem) {
  Dataset data;
  data.points = Points(std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}});
  data.target = testing::classes({"a", "b", "c"}, {0, 2, 1}, "t");
  data.weights = {0.5, 1, 2};
  data.queries = {7, 8, 9};
  data.schema.target = "t";
  const Dataset some = data.select_rows(std::vector<std::size_t>{2, 0, 2});
  EXPECT_EQ(some.points.row(0), (std::vector<double>{5, 6}));
  EXPECT_EQ(some.points.row(1), (std::vector<double>{1, 2}));
  EXPECT_EQ(some.target.labels, data.target.labels);
  EXPECT_EQ(some.target.codes, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(some.weights, (std::vector<double>{2, 0.5, 2}));
  EXPECT_EQ(some.queries, (std::vector<std::int64_t>{9, 7, 9}));
  EXPECT_EQ(some.schema.target, "t");
  data.weights.clear();
  data.target = testing::real({1, 2, 3});
  EXPECT_EQ(data.select_rows(std::vector<std::size_t>{1}).target.values, std::vector<double>{2});
  EXPECT_TRUE(data.select_rows(std::vector<std::size_t>{1}).weights.empty());
  EXPECT_EQ(data.select_rows({}).rows(), 0u);
}

TEST(Dataset, SelectsAllNumbersOfARow) {
  Dataset data{.points = Points({{1}, {2}, {3}}), .target = testing::outputs({1, 2, 3, 4, 5, 6}, 2)};
  EXPECT_EQ(data.target.size(), 3u);
  const Target some = data.select_rows(std::vector<std::size_t>{2, 0}).target;
  EXPECT_EQ(some.values, (std::vector<double>{5, 6, 1, 2}));
  EXPECT_EQ(some.outputs, 2u);
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(data.select_rows({}).target.size(), 0u);
}

TEST(Dataset, OutputsAreCalledByTheirColumnsOrNumbered) {
  const auto names = [](const std::string& name, std::size_t outputs) {
    return Target{
        .task = Task::regression, .name = name, .labels = {}, .codes = {}, .values = {}, .outputs = outputs}
        .output_names();
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("a", 1), Names{"a"});
  EXPECT_EQ(names("a,b", 1), Names{"a,b"});
  EXPECT_EQ(names("", 1), Names{"target"});
  EXPECT_EQ(names("a,b", 2), (Names{"a", "b"}));
  EXPECT_EQ(names("y", 3), (Names{"y1", "y2", "y3"}));
  EXPECT_EQ(names("", 2), (Names{"target1", "target2"}));
}

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
