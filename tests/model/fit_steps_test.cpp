#include "model/fit_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "data/scratch.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "random_points.hpp"

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

Points numbered_rows(const std::vector<std::vector<double>>& K) {
  std::vector<std::size_t> ids(K.size());
  std::iota(ids.begin(), ids.end(), std::size_t(0));
  return Points(K).with_ids(std::move(ids));
}

std::vector<std::vector<double>> gram(const std::string& kernel, const Points& points) {
  std::vector<double> values(points.rows() * points.rows());
  KernelOperator<double>(Kernel::parse(kernel), points, {.threads = 1}).matrix(values);
  std::vector<std::vector<double>> K(points.rows());
  for (std::size_t i = 0; i < K.size(); ++i)
    K[i].assign(values.begin() + std::ptrdiff_t(i * K.size()),
                values.begin() + std::ptrdiff_t((i + 1) * K.size()));
  return K;
}

bool accepted(const std::vector<std::vector<double>>& K) {
  return given_matrix_is_psd(Kernel::parse("precomputed"), numbered_rows(K), 1);
}

// Of rank 3 in 40 rows: rounding makes some of the eigenvalues negative.
TEST(GivenMatrix, RoundingMakesNoMatrixIndefinite) {
  for (const char* kernel : {"linear", "rbf(gamma=0.001)", "poly(degree=2)"}) {
    auto K = gram(kernel, Points(random_rows(40, 3, 1)));
    EXPECT_TRUE(accepted(K)) << kernel;
    for (auto& row : K)
      for (double& k : row) k = double(float(k));
    EXPECT_TRUE(accepted(K)) << kernel << " in float32";
  }
  EXPECT_TRUE(accepted({{0, 0}, {0, 0}}));
}

TEST(GivenMatrix, WhatIsIndefiniteIsSeen) {
  EXPECT_FALSE(accepted({{1, 2}, {2, 1}}));
  EXPECT_FALSE(accepted({{1, 0.5}, {0.1, 1}}));  // not symmetric
  EXPECT_FALSE(accepted(gram("sigmoid(scale=1, offset=-1)", Points(random_rows(30, 3, 2)))));
  auto K = gram("rbf(gamma=1)", Points(random_rows(30, 3, 3)));
  for (std::size_t i = 0; i < K.size(); ++i) K[i][i] -= 0.5;
  EXPECT_FALSE(accepted(K));
}

TEST(GivenMatrix, IsOfThePrecomputedKernelAlone) {
  EXPECT_FALSE(given_matrix_is_psd(Kernel::parse("sigmoid"), numbered_rows({{1, 0}, {0, 1}}), 1));
}

TEST(ColumnRanges, AdviseToScaleWhereTheyDifferMuch) {
  const Points unlike({{0, 0}, {1, 5000}, {0.5, 100}}), alike({{0, 0}, {1, 50}, {0.5, 10}});
  EXPECT_EQ(scaling_advice(unlike, false)->said(),
            "the ranges of the columns differ by a factor of 5e+03, and the kernel sees little but the "
            "widest; scale the columns before the fit");
  EXPECT_FALSE(scaling_advice(alike, false));
  EXPECT_TRUE(scaling_advice(alike, true));  // the fit is in trouble already
  EXPECT_EQ(scaling_advice(unlike.to_sparse(), false)->said(), scaling_advice(unlike, false)->said());
}

TEST(ColumnRanges, SayNothingOfConstantColumnsAndOfObjects) {
  EXPECT_FALSE(scaling_advice(Points({{1e6, 0}, {1e6, 1}}), true));
  EXPECT_FALSE(scaling_advice(Points(std::vector<std::vector<double>>{{}, {}}), true));
  EXPECT_TRUE(scaling_advice(Points({{19000, 0}, {19001, 1}}), true));  // days since 1970
  EXPECT_FALSE(scaling_advice(Points({{19000, 0}, {19001, 1}}), false));
}

Dataset dates() {
  Dataset data;
  std::vector<std::vector<double>> rows;
  data.target = {.task = Task::classification, .labels = {"a", "b"}};
  for (int i = 0; i < 10; ++i)
    rows.push_back({18000.0 + 137 * i, 0.1 * (i % 3)}), data.target.codes.push_back(i * i % 7 < 3);
  data.points = Points(rows);
  return data;
}

TEST(ColumnRanges, AreAWarningOfTheFitUnlessItScales) {
  const auto warned = [](const Model& model) {
    return std::ranges::any_of(model.fitted.report.warnings, [](const Note& w) {
      return !w.hints.empty() && w.hints[0].remedy == Remedy::scale_columns;
    });
  };
  const Kernel linear = Kernel::parse("linear");
  EXPECT_TRUE(warned(fit(Svm{}, linear, dates())));
  EXPECT_FALSE(warned(fit(Svm{}, linear, dates(), {}, Scaling::Kind::standard)));
  EXPECT_FALSE(warned(fit(Svm{}, linear, dates(), {}, Scaling::Kind::minmax)));
}

Dataset class_clouds(std::size_t per_class, std::size_t classes, double spread, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.target.task = Task::classification;
  std::vector<std::vector<double>> rows;
  for (std::size_t c = 0; c < classes; ++c) {
    data.target.labels.push_back("c" + std::to_string(c));
    for (std::size_t i = 0; i < per_class; ++i) {
      rows.push_back(
          {double(c % 2) * 2 + spread * random.normal(), double(c / 2) * 2 + spread * random.normal()});
      data.target.codes.push_back(std::int32_t(c));
    }
  }
  data.points = Points(rows);
  return data;
}

const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");

TEST(Probabilities, NeverContradictThePrediction) {
  for (const std::size_t classes : {2, 4}) {
    const Dataset data = class_clouds(60, classes, 1.2, 4), others = class_clouds(100, classes, 1.2, 5);
    const Model model = fit(Svm{}, kernel, data, {.probabilities = true});
    const Predictions p = model.predict(others.points);
    ASSERT_EQ(p.probabilities.size(), others.rows() * classes);
    for (std::size_t i = 0; i < others.rows(); ++i) {
      const auto own = std::span(p.probabilities).subspan(i * classes, classes);
      double sum = 0;
      for (const double value : own) sum += value;
      EXPECT_NEAR(sum, 1, 1e-9);
      EXPECT_EQ(p.codes[i], std::ranges::max_element(own) - own.begin());
    }
  }
}

TEST(Probabilities, AreCalibratedOnRowsTheModelHasNotSeen) {
  const Dataset data = class_clouds(300, 2, 1.5, 6), others = class_clouds(2000, 2, 1.5, 7);
  // So large a C and gamma that the machine remembers its rows: on them every score is sure and right.
  const Model model = fit(Svm{.C = 1000}, Kernel::parse("rbf(gamma=50)"), data, {.probabilities = true});
  const Predictions p = model.predict(others.points);
  double claimed = 0, right = 0;
  for (std::size_t i = 0; i < others.rows(); ++i) {
    claimed += std::max(p.probabilities[2 * i], p.probabilities[2 * i + 1]);
    right += p.codes[i] == others.target.codes[i];
  }
  EXPECT_NEAR(claimed / double(others.rows()), right / double(others.rows()), 0.1);
}

TEST(Probabilities, DependOnTheSeedAlone) {
  const Dataset data = class_clouds(40, 3, 1, 8);
  const Model a = fit(Svm{}, kernel, data, {.threads = 1, .seed = 3, .probabilities = true});
  const Model b = fit(Svm{}, kernel, data, {.threads = 4, .seed = 3, .probabilities = true});
  const Model c = fit(Svm{}, kernel, data, {.threads = 1, .seed = 4, .probabilities = true});
  EXPECT_EQ(a.fitted.slopes, b.fitted.slopes);
  EXPECT_EQ(a.fitted.offsets, b.fitted.offsets);
  EXPECT_NE(a.fitted.slopes, c.fitted.slopes);
}

TEST(Probabilities, TakeTheRowOfAClassOfOneForOneOfTheOthers) {
  const Dataset data = class_clouds(10, 3, 1, 9);
  std::vector<std::size_t> chosen(21);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});  // ten of two classes, one of the third
  const Dataset some = data.select_rows(chosen);
  const Model model = fit(Svm{}, kernel, some, {.probabilities = true});
  const Predictions p = model.predict(some.points);
  for (std::size_t i = 0; i < some.rows(); ++i)
    EXPECT_NEAR(p.probabilities[3 * i] + p.probabilities[3 * i + 1] + p.probabilities[3 * i + 2], 1, 1e-9);
  // One of two classes: ten scores for the first class by machines without the row, and -1 for the row
  // itself.
  std::vector<std::size_t> eleven(chosen.begin(), chosen.begin() + 11);
  const Dataset pair = class_clouds(10, 2, 1, 9).select_rows(eleven);
  const Model alone = fit(Svm{}, kernel, pair, {.probabilities = true});
  ASSERT_EQ(alone.fitted.slopes.size(), 1u);
  const Predictions q = alone.predict(pair.points);
  for (std::size_t i = 0; i < pair.rows(); ++i) EXPECT_GT(q.probabilities[2 * i], q.probabilities[2 * i + 1]);
}

TEST(Probabilities, NeedAClassOfTwoRowsAndPairs) {
  Dataset data = class_clouds(10, 2, 1, 9);
  std::vector<std::size_t> chosen{0, 10};
  EXPECT_EQ(testing::refusal([&] { fit(Svm{}, kernel, data.select_rows(chosen), {.probabilities = true}); }),
            "each class has a single row; probabilities need a class of two or more");
  const Dataset three = class_clouds(10, 3, 1, 9);
  EXPECT_EQ(testing::refusal([&] {
              fit(Svm{.multiclass = Svm::Multiclass::ovr}, kernel, three, {.probabilities = true});
            }),
            "probabilities are calibrated for pairs of classes; set multiclass=ovo, or take a method that "
            "gives them");
}

// y = x plus noise that is not normal: what is found is the mean of its size.
Dataset noisy_line(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.target.task = Task::regression;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({random.uniform()});
    const double size = -0.2 * std::log(1 - random.uniform());
    data.target.values.push_back(rows.back()[0] + (random.uniform() < 0.5 ? size : -size));
  }
  data.points = Points(rows);
  return data;
}

TEST(Noise, HasTheScaleThatTheDataWereMadeWith) {
  const Dataset data = noisy_line(600, 3);
  const Model model =
      fit(Svr{.C = 10, .epsilon = 0.05}, Kernel::parse("linear"), data, {.probabilities = true});
  ASSERT_TRUE(model.fitted.noise_scale);
  EXPECT_NEAR(*model.fitted.noise_scale, 0.2, 0.02);
  EXPECT_TRUE(model.predict(data.points).probabilities.empty());
}

TEST(Noise, ComesFromTheFoldsThatAreGiven) {
  const Dataset data = noisy_line(40, 4);
  std::vector<std::size_t> fold(40);
  for (std::size_t i = 0; i < 40; ++i) fold[i] = i % 3;
  double sum = 0;  // no residual is so large that it is left out
  for (std::size_t f = 0; f < 3; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < 40; ++i) (fold[i] == f ? unseen : seen).push_back(i);
    const std::vector<double> values =
        fit(Svr{}, kernel, data.select_rows(seen)).predict(data.points.select_rows(unseen)).values;
    for (std::size_t u = 0; u < unseen.size(); ++u)
      sum += std::abs(values[u] - data.target.values[unseen[u]]);
  }
  EXPECT_NEAR(*fit(Svr{}, kernel, data, {.probabilities = true, .folds = fold}).fitted.noise_scale, sum / 40,
              1e-12);
  EXPECT_EQ(testing::refusal([&] {
              fit(Svr{}, kernel, data, {.probabilities = true, .folds = {0, 1}});
            }),
            "folds are given for 2 rows, but there are 40");
  EXPECT_EQ(testing::refusal([&] {
              fit(Svr{}, kernel, data.select_rows(std::vector<std::size_t>{0}), {.probabilities = true});
            }),
            "there is a single row; the scale of the noise needs two or more");
}

TEST(Inside, IsMoreProbableTheHigherTheScore) {
  const Dataset data = class_clouds(200, 1, 1, 8);
  const Model model =
      fit(OneClass{.nu = 0.3}, kernel, data, {.probabilities = true}, Scaling::Kind::standard);
  const Predictions p = model.predict(data.points);
  ASSERT_EQ(p.probabilities.size(), 400u);
  std::vector<double> inside;
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_DOUBLE_EQ(p.probabilities[2 * i] + p.probabilities[2 * i + 1], 1);
    EXPECT_EQ(p.probabilities[2 * i] > 0.5, p.scores[i] > model.fitted.density_marks[5]);
    inside.push_back(p.probabilities[2 * i]);
  }
  EXPECT_NEAR(double(std::ranges::count_if(inside, [](double q) { return q < 0.5; })) / 200, 0.3, 0.1);
  const Model few = fit(OneClass{.nu = 0.3}, kernel, data.select_rows(std::vector<std::size_t>{0, 1, 2, 3}),
                        {.probabilities = true});
  EXPECT_TRUE(few.fitted.density_marks.empty());
  EXPECT_NE(few.fitted.report.warnings.back().text.find("too few for probabilities"), std::string::npos);
}

}  // namespace
}  // namespace mercer
