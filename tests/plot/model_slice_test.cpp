#include "plot/model_slice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/logistic.hpp"
#include "mercer/methods/one_class.hpp"
#include "mercer/methods/perceptron.hpp"
#include "mercer/methods/rerm.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

Schema with_category() {
  Schema schema;
  schema.columns = {{"length", {}, 0}, {"colour", {"blue", "green", "red"}, 0}, {"weight", {}, 0}};
  return schema;
}

// A linear model, whose derivative is its weight: y = Σ weight_j x_j exactly.
Model linear_model(const std::vector<std::vector<double>>& rows, const std::vector<double>& weights) {
  Dataset data{.points = Points(rows), .target = {.task = Task::regression}};
  for (const auto& row : rows) {
    double y = 0;
    for (std::size_t j = 0; j < row.size(); ++j) y += weights[j] * row[j];
    data.target.values.push_back(y);
  }
  return fit(Ridge{.lambda = 1e-9}, Kernel::parse("linear"), data);
}

double deviation(const std::vector<std::vector<double>>& rows, std::size_t column) {
  double mean = 0, sum = 0;
  for (const auto& row : rows) mean += row[column] / double(rows.size());
  for (const auto& row : rows) sum += (row[column] - mean) * (row[column] - mean);
  return std::sqrt(sum / double(rows.size()));
}

TEST(ViewedColumns, IndicatorsAreTheColumnsOfCategories) {
  EXPECT_EQ(indicator_columns(with_category(), 5), (std::vector<bool>{false, true, true, true, false}));
  EXPECT_EQ(indicator_columns(with_category(), 4), std::vector<bool>(4, false));
  EXPECT_EQ(indicator_columns({}, 2), std::vector<bool>(2, false));
}

TEST(ViewedColumns, TheMiddleIsTheMedianAndTheMostFrequentCategory) {
  const Points points({{1, 0, 1, 0, 10}, {5, 1, 0, 0, 20}, {2, 0, 1, 0, 40}, {100, 0, 0, 1, 30}});
  EXPECT_EQ(middle_row(points, with_category()), (std::vector<double>{3.5, 0, 1, 0, 25}));
  EXPECT_EQ(middle_row(points, {}), (std::vector<double>{3.5, 0, 0.5, 0, 25}));
  EXPECT_EQ(middle_row(Points(std::vector<std::vector<double>>{{7, -1}}), {}), (std::vector<double>{7, -1}));
}

TEST(ViewedColumns, TheEffectOfALinearModelIsTheWeightTimesTheDeviation) {
  const auto rows = random_rows(50, 4, 3);
  const std::vector<double> weights{0.5, -3, 0, 1};
  const Model model = linear_model(rows, weights);
  for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
    const std::vector<double> effects = column_effects(model, as_points(rows, kind));
    ASSERT_EQ(effects.size(), 4u);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(effects[j], std::abs(weights[j]) * deviation(rows, j), 1e-5);
  }
}

TEST(ViewedColumns, AConstantColumnHasNoEffect) {
  auto rows = random_rows(20, 3, 4);
  for (auto& row : rows) row[1] = 5;
  EXPECT_EQ(column_effects(linear_model(rows, {1, 1, 1}), Points(rows))[1], 0);
}

TEST(ViewedColumns, TheMostEffectiveComeFirstAndNumbersBeforeCategories) {
  const auto rows = random_rows(50, 5, 5);
  Model model = linear_model(rows, {0.1, 9, 9, 9, 2});
  EXPECT_EQ(most_effective_columns(model, Points(rows), 9).size(), 5u);
  model.schema = with_category();
  EXPECT_EQ(most_effective_columns(model, Points(rows), 2), (std::vector<std::size_t>{4, 0}));
  EXPECT_EQ(most_effective_columns(model, Points(rows), 1), (std::vector<std::size_t>{4}));
  EXPECT_EQ(most_effective_columns(model, Points(rows), 3)[1], 0u);
}

TEST(ViewedColumns, ManyColumnsAreRankedByTheirSpreadFirst) {
  auto rows = random_rows(12, 300, 6);
  for (auto& row : rows) row[299] *= 100, row[298] *= 50;
  std::vector<double> weights(300, 0);
  weights[298] = weights[299] = 1;
  EXPECT_EQ(most_effective_columns(linear_model(rows, weights), Points(rows), 2),
            (std::vector<std::size_t>{299, 298}));
}

TEST(ViewedColumns, AreNamedByNameOrNumber) {
  const Points points(Dense<double>{1, 3, Buffer<double>(3, 1.0)}, {"length", "2", "weight"});
  const auto named = [&](std::vector<std::string> names) { return columns_named(points, names, 2); };
  EXPECT_EQ(named({"weight", "1"}), (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(named({"2"}), (std::vector<std::size_t>{1}));  // the name goes before the number
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { named({"lenght"}); }),
            "there is no column 'lenght'; did you mean 'length'? Else give a name or a number from 1 to 3");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { named({"4"}); }),
            "there is no column '4'; give a name or a number from 1 to 3");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { named({"1", "length"}); }), "the column 'length' is named twice");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      named({"1", "2", "3"});
                    }),
            "the picture has room for 2 columns, but 3 are named");
}

TEST(ViewedColumns, VariedRowsDifferInTheColumnsNamed) {
  const std::vector<double> held{1, 2, 3}, grid{10, 20, 11, 21};
  const std::vector<std::size_t> changed{2, 0};
  const Points points = varied_rows(held, changed, grid, false);
  ASSERT_EQ(points.rows(), 2u);
  EXPECT_EQ(points.row(0), (std::vector<double>{20, 2, 10}));
  EXPECT_EQ(points.row(1), (std::vector<double>{21, 2, 11}));
  EXPECT_FALSE(points.sparse());
  const Points sparse = varied_rows(held, changed, grid, true);
  EXPECT_TRUE(sparse.sparse());
  EXPECT_EQ(sparse.row(1), points.row(1));
}

const Axis across{.label = "x", .low = -2, .high = 3}, up{.label = "y", .low = -1, .high = 2};

PredictionPlane plane_of(const Model& model, std::vector<std::size_t> columns = {0, 1},
                         std::vector<double> held = {0, 0}) {
  return predictions_over(model, held, columns, across, up, false, 1, {});
}

// The middle of a cell, computed here.
std::vector<double> middle_of(const PredictionPlane& plane, std::size_t r, std::size_t c) {
  return {-2 + 5 * (double(c) + 0.5) / double(plane.columns),
          -1 + 3 * (double(r) + 0.5) / double(plane.rows)};
}

TEST(PredictionPlane, HasTheAnswersAtTheMiddlesOfItsCells) {
  const Dataset moons = generate("moons", {.n = 60});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=2)"), moons);
  const PredictionPlane plane = plane_of(model);
  ASSERT_EQ(plane.columns * plane.rows, plane.codes.size());
  ASSERT_EQ(plane.values.size(), plane.codes.size());
  EXPECT_TRUE(plane.odds.empty());
  for (const auto& [r, c] : {std::pair<std::size_t, std::size_t>{0, 0},
                             {0, 7},
                             {plane.rows / 2, plane.columns / 3},
                             {plane.rows - 1, plane.columns - 1}}) {
    const Predictions p = model.predict(Points({middle_of(plane, r, c)}));
    EXPECT_EQ(plane.codes[r * plane.columns + c], p.codes[0]);
    EXPECT_NEAR(plane.values[r * plane.columns + c], p.scores[0], 1e-12);
  }
}

TEST(PredictionPlane, ColumnsMayComeInAnyOrderAmongOthers) {
  Dataset data = generate("friedman1", {.n = 40, .dim = 5});
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const std::vector<double> held{0.1, 0.2, 0.3, 0.4, 0.5};
  const PredictionPlane plane = plane_of(model, {3, 1}, held);
  const auto at = middle_of(plane, 5, 9);
  EXPECT_NEAR(plane.values[5 * plane.columns + 9],
              model.predict(Points({{0.1, at[1], 0.3, at[0], 0.5}})).values[0], 1e-12);
}

TEST(PredictionPlane, CalibratedClassesHaveOdds) {
  const Model model =
      fit(Svm{}, Kernel::parse("rbf(gamma=2)"), generate("moons", {.n = 60}), {.probabilities = true});
  const PredictionPlane plane = plane_of(model);
  ASSERT_EQ(plane.odds.size(), plane.codes.size());
  for (std::size_t i = 0; i < plane.codes.size(); i += 97)
    EXPECT_EQ(plane.codes[i], plane.odds[i] > 0 ? 1 : 0);
}

TEST(PredictionPlane, NoveltyHasItsScore) {
  const Model model = fit(OneClass{.nu = 0.2}, Kernel::parse("rbf(gamma=2)"), generate("moons", {.n = 60}));
  const PredictionPlane plane = plane_of(model);
  EXPECT_TRUE(plane.codes.empty());
  EXPECT_NEAR(plane.values[3], model.predict(Points({middle_of(plane, 0, 3)})).scores[0], 1e-12);
}

TEST(PredictionPlane, OneColumnHasOneRowOfCells) {
  const Model model =
      fit(Svm{}, Kernel::parse("rbf(gamma=2)"), generate("blobs", {.n = 30, .dim = 1, .classes = 3}));
  const PredictionPlane plane = plane_of(model, {0}, {0});
  EXPECT_EQ(plane.rows, 1u);
  EXPECT_EQ(plane.codes.size(), plane.columns);
  EXPECT_TRUE(plane.values.empty());
}

TEST(PredictionPlane, OnlyHingesHaveMargins) {
  const Dataset two = generate("moons", {.n = 40}), three = generate("blobs", {.n = 30});
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_TRUE(has_margin(fit(Svm{}, kernel, two)));
  EXPECT_FALSE(has_margin(fit(Svm{}, kernel, three)));
  EXPECT_TRUE(has_margin(fit(Rerm{.loss = "squared_hinge"}, kernel, two)));
  EXPECT_FALSE(has_margin(fit(Rerm{.loss = "logistic"}, kernel, two)));
  EXPECT_FALSE(has_margin(fit(Logistic{}, kernel, two)));
}

}  // namespace
}  // namespace mercer
