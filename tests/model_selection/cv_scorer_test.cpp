// Judgements against fits of every fold, for methods with a path of their own and without.
#include "model_selection/cv_scorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.hpp"
#include "mercer/methods.hpp"

namespace mercer {
namespace {

Dataset two_moons(std::size_t n) {
  Random random(3);
  Dataset data;
  data.target = {.task = Task::classification, .labels = {"a", "b"}};
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = random.uniform(0, 3.14159);
    const bool second = i % 2;
    rows.push_back({(second ? 1 - std::cos(angle) : std::cos(angle)) + 0.3 * random.normal(),
                    (second ? 0.5 - std::sin(angle) : std::sin(angle)) + 0.3 * random.normal()});
    data.target.codes.push_back(second);
  }
  data.points = Points(rows);
  return data;
}

std::vector<CvScore> scored(const CandidateLine& line, const Sample& sample, const Metric& metric,
                            std::size_t memory = std::size_t(1) << 30) {
  const FitOptions options{.threads = 1, .memory = memory};
  return CvScorer(sample, metric, options, false).score(line);
}

TEST(CvScorer, GivesTheSameByThePathAsByFits) {
  const Sample sample = draw_sample(two_moons(120), 0, 4, {}, 1);
  const auto lines =
      candidate_lines({{Svm{}, Kernel::parse("rbf(gamma=2)"), {{"C", {0.1, 1, 30}}}}}, sample.data.points);
  const Metric accuracy = metric_named("accuracy");
  const auto by_path = scored(lines[0], sample, accuracy),
             by_fits = scored(lines[0], sample, accuracy, 1 << 14);
  ASSERT_EQ(by_path.size(), 3u);
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_EQ(by_path[v].predictions.codes, by_fits[v].predictions.codes);
    EXPECT_EQ(by_path[v].fold_scores, by_fits[v].fold_scores);
    EXPECT_EQ(by_path[v].fold_scores.size(), 4u);
  }
}

TEST(CvScorer, CalibratesWhereTheMetricNeedsProbabilities) {
  const Sample sample = draw_sample(two_moons(90), 0, 3, {}, 1);
  const auto lines =
      candidate_lines({{Svm{}, Kernel::parse("rbf(gamma=2)"), {{"C", {1}}}}}, sample.data.points);
  const auto scores_of_line = scored(lines[0], sample, metric_named("log_loss"));
  EXPECT_EQ(scores_of_line[0].predictions.probabilities.size(), 180u);
  for (const double score : scores_of_line[0].fold_scores) EXPECT_LT(score, std::log(2.0));
}

TEST(CvScorer, LeavesOutSingleRowsWhereThatCostsNothing) {
  Dataset data = two_moons(40);
  data.target = {.task = Task::regression};
  for (std::size_t i = 0; i < 40; ++i) data.target.values.push_back(data.points.row(i)[0]);
  const Sample sample = draw_sample(data, 0, 4, {}, 1);
  const auto lines =
      candidate_lines({{Ridge{}, Kernel::parse("rbf(gamma=1)"), {{"tau2", {0.1}}}}}, sample.data.points);
  const FitOptions options{.threads = 1};
  const Predictions p = CvScorer(sample, metric_named("rmse"), options, true).score(lines[0])[0].predictions;
  std::vector<std::size_t> others;
  for (std::size_t i = 1; i < 40; ++i) others.push_back(i);
  const Model model =
      fit(Ridge{.tau2 = 0.1}, Kernel::parse("rbf(gamma=1)"), sample.data.select_rows(others), options);
  EXPECT_NEAR(p.values[0], model.predict(sample.data.points).values[0], 1e-6);
}

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
