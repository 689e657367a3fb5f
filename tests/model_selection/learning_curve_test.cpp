#include "mercer/learning_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mercer/cross_validation.hpp"
#include "mercer/error.hpp"
#include "mercer/folds.hpp"
#include "mercer/methods/knn.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/metrics.hpp"
#include "base/random.hpp"

namespace mercer {
namespace {

Dataset classes(std::size_t n, std::size_t rare) {
  Random random(7);
  Buffer<double> x(2 * n);
  Dataset data{.target = {.task = Task::classification, .labels = {"a", "b"}}};
  for (std::size_t i = 0; i < n; ++i) {
    data.target.codes.push_back(i < rare);
    for (std::size_t c = 0; c < 2; ++c) x[2 * i + c] = random.normal() + (i < rare ? 1 : 0);
  }
  data.points = Points(Dense<double>{n, 2, std::move(x)});
  return data;
}

TEST(LearningCurve, EndsWhereCrossValidationIs) {
  const Dataset data = classes(60, 20);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  const LearningCurve curve = learning_curve(Knn{}, kernel, data, {.folds = 3, .sizes = {40, 10}});
  EXPECT_EQ(curve.metric, "accuracy");
  EXPECT_EQ(curve.sizes, (std::vector<std::size_t>{10, 40}));
  const auto fold = random_folds(data.target, 3, 1);
  const Predictions p = cross_validate(Knn{}, kernel, data, fold);
  std::vector<double> scores;
  for (std::size_t f = 0; f < 3; ++f) {
    double right = 0, all = 0;
    for (std::size_t i = 0; i < 60; ++i)
      if (fold[i] == f) right += p.codes[i] == data.target.codes[i], all += 1;
    scores.push_back(right / all);
  }
  const double mean = (scores[0] + scores[1] + scores[2]) / 3;
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  EXPECT_NEAR(curve.validation[1], mean, 1e-12);
  EXPECT_NEAR(curve.validation_error[1], std::sqrt(squares / 2 / 3), 1e-12);
}

TEST(LearningCurve, RowsLearnedByHeartAreRight) {
  const LearningCurve curve =
      learning_curve(Knn{.neighbours = 1}, Kernel::parse("rbf(gamma=1)"), classes(60, 20), {.folds = 3});
  for (const double score : curve.training) EXPECT_EQ(score, 1);
  for (const double error : curve.training_error) EXPECT_EQ(error, 0);
  EXPECT_EQ(curve.sizes.front(), 10u);
  EXPECT_EQ(curve.sizes.back(), 40u);
  EXPECT_EQ(curve.sizes.size(), 8u);
}

TEST(LearningCurve, EverySizeHasEachClass) {
  // Without the rare class's rows in each part an svm of one class would be refused.
  const LearningCurve curve = learning_curve(method_named("svm"), Kernel::parse("rbf(gamma=1)"),
                                             classes(100, 4), {.folds = 2, .sizes = {2, 3, 10}});
  EXPECT_EQ(curve.validation.size(), 3u);
}

TEST(LearningCurve, NumbersHaveAnError) {
  Dataset data = classes(30, 0);
  Target target{.task = Task::regression};
  for (std::size_t i = 0; i < 30; ++i) target.values.push_back(double(i % 3));
  data.target = target;
  std::vector<double> fractions;
  const LearningCurve curve = learning_curve(
      Ridge{}, Kernel::parse("linear"), data,
      {.sizes = {5, 24},
       .fit = {.progress = [&](std::string_view, double f) { return fractions.push_back(f), true; }}});
  EXPECT_EQ(curve.metric, "rmse");
  EXPECT_GT(curve.validation[1], 0);
  EXPECT_TRUE(std::ranges::all_of(fractions, [](double f) { return f >= 0 && f <= 1; }));
}

TEST(LearningCurve, RefusesWhatHasNone) {
  const auto refused = [](const Dataset& data, const LearningCurveOptions& options) {
    try {
      learning_curve(Knn{}, Kernel::parse("rbf(gamma=1)"), data, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(classes(10, 5), {.folds = 1}), "1 folds leave no rows to learn from; give at least 2");
  EXPECT_EQ(refused(classes(3, 1), {}), "5 folds need as many rows; there are 3");
  EXPECT_EQ(refused(classes(10, 5), {.folds = 2, .sizes = {6}}),
            "a fold can learn from 1 to 5 rows, not from 6");
  EXPECT_EQ(refused(classes(10, 5), {.folds = 2, .sizes = {0, 3}}),
            "a fold can learn from 1 to 5 rows, not from 0");
  EXPECT_NE(refused(classes(10, 5), {.metric = "acuracy"}).find("accuracy"), std::string::npos);
  Dataset without = classes(10, 5);
  without.target = {};
  EXPECT_EQ(refused(without, {}), "the data have no target; name the target column");
}

}  // namespace
}  // namespace mercer
