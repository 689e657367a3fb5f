#include "model_selection/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mercer {
namespace {

Dataset numbered(std::size_t n, std::size_t classes) {
  Dataset data;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back({double(i)});
  if (n > 0) data.points = Points(rows);
  if (classes > 0) {
    data.target.task = Task::classification;
    for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
    for (std::size_t i = 0; i < n; ++i)
      data.target.codes.push_back(std::int32_t(i % 10 == 0 ? 0 : 1 + i % (classes - 1)));
  } else {
    data.target.task = Task::regression;
    for (std::size_t i = 0; i < n; ++i) data.target.values.push_back(double(i));
  }
  return data;
}

TEST(DrawSample, LaysRowsOutByClassAndFold) {
  const Dataset data = numbered(100, 3);
  const Sample sample = draw_sample(data, 0, 5, {}, 1);
  ASSERT_EQ(sample.rows.size(), 100u);
  EXPECT_EQ(sample.folds, 5u);
  std::pair<std::int32_t, std::size_t> last{0, 0};
  for (std::size_t i = 0; i < 100; ++i) {
    const std::pair now(sample.data.target.codes[i], sample.fold[i]);
    EXPECT_LE(last, now);
    last = now;
    EXPECT_EQ(sample.data.points.row(i)[0], double(sample.rows[i]));
    EXPECT_EQ(sample.data.target.codes[i], data.target.codes[sample.rows[i]]);
  }
}

TEST(DrawSample, TakesEachClassesShare) {
  const Sample sample = draw_sample(numbered(1000, 3), 200, 5, {}, 7);
  EXPECT_NEAR(double(sample.rows.size()), 200, 3);
  EXPECT_EQ(std::ranges::count(sample.data.target.codes, 0), 20);
  EXPECT_EQ(std::set(sample.rows.begin(), sample.rows.end()).size(), sample.rows.size());
}

TEST(DrawSample, KeepsGivenFolds) {
  std::vector<std::size_t> fold(50);
  for (std::size_t i = 0; i < 50; ++i) fold[i] = i / 25;
  const Sample sample = draw_sample(numbered(50, 0), 20, 5, fold, 3);
  EXPECT_EQ(sample.rows.size(), 20u);
  for (std::size_t i = 0; i < sample.rows.size(); ++i) EXPECT_EQ(sample.fold[i], sample.rows[i] / 25);
}

TEST(InOrderOfData, PutsPredictionsBack) {
  const Dataset data = numbered(30, 0);
  const Sample sample = draw_sample(data, 0, 3, {}, 2);
  Predictions p;
  p.values = sample.data.target.values;
  p.scores = p.values;
  EXPECT_EQ(in_order_of_data(sample, p).values, data.target.values);
}

}  // namespace
}  // namespace mercer
