#include "model/row_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

Dataset four_rows() {
  Dataset data;
  data.points = Points({{1}, {2}, {3}, {4}});
  data.target = {.task = Task::classification, .labels = {"a", "b"}, .codes = {0, 0, 0, 1}};
  return data;
}

TEST(RowWeights, AreNoneWhereAllCountTheSame) { EXPECT_TRUE(row_weights(four_rows(), {}).empty()); }

TEST(RowWeights, AreTheDatasTimesTheClasses) {
  Dataset data = four_rows();
  EXPECT_EQ(row_weights(data, {.class_weights = {{"b", 3}}}), (std::vector<double>{1, 1, 1, 3}));
  data.weights = {1, 2, 0, 4};
  EXPECT_EQ(row_weights(data, {}), data.weights);
  EXPECT_EQ(row_weights(data, {.class_weights = {{"a", 0.5}}}), (std::vector<double>{0.5, 1, 0, 4}));
}

TEST(RowWeights, BalanceClasses) {
  const std::vector<double> weights = row_weights(four_rows(), {.balanced = true});
  EXPECT_DOUBLE_EQ(weights[0], 4.0 / (2 * 3));
  EXPECT_DOUBLE_EQ(weights[3], 4.0 / (2 * 1));
}

TEST(RowWeights, RefuseWhatIsNone) {
  Dataset data = four_rows();
  data.weights = {1, -1, 1, 1};
  EXPECT_EQ(refusal(ErrorKind::data, [&] { row_weights(data, {}); }),
            "the weight of row 2 is -1; weights are numbers ≥ 0");
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      row_weights(four_rows(), {.class_weights = {{"c", 1}}});
                    })
                .find("'c', which is not a class; they are a, b"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      row_weights(four_rows(), {.class_weights = {{"a", 0}}});
                    })
                .find("must be > 0"),
            std::string::npos);
  data.target = {.task = Task::regression, .values = {1, 2, 3, 4}};
  data.weights.clear();
  EXPECT_NE(refusal(ErrorKind::usage, [&] { row_weights(data, {.balanced = true}); })
                .find("class weights need classes"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
