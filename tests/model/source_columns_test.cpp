#include "model/source_columns.hpp"

#include <gtest/gtest.h>

#include "mercer/methods.hpp"

namespace mercer {
namespace {

Model ridge_of(Points points, Schema schema, Scaling::Kind scaling = Scaling::Kind::none) {
  Dataset data{.points = points, .target = {.task = Task::regression, .values = {}}};
  for (std::size_t i = 0; i < points.rows(); ++i) data.target.values.push_back(double(i));
  data.schema = std::move(schema);
  return fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data, {.approx = "none"}, scaling);
}

TEST(SourceColumns, CategoriesAreOneColumn) {
  const Schema schema{.columns = {{"size", {}, 0}, {"home", {"cage", "sea"}, 0}, {"age", {}, 0}},
                      .target = "y",
                      .weights = ""};
  const Model model =
      ridge_of(Points({{1, 1, 0, 2}, {3, 0, 1, 4}, {5, 1, 0, 4}}), schema, Scaling::Kind::standard);
  const auto columns = source_columns(model);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[1].name, "home");
  EXPECT_EQ(columns[1].begin, 1u);
  EXPECT_EQ(columns[1].count(), 2u);
  EXPECT_EQ(columns[2].begin, 3u);
  const std::vector<double> row = unscaled(model.scaling, model.fitted.expansion.points.row(1));
  EXPECT_NEAR(row[0], 3, 1e-12);
  EXPECT_EQ(value_text(columns[0], row), "3");
  EXPECT_EQ(value_text(columns[1], row), "sea");
  EXPECT_EQ(value_text(columns[1], std::vector<double>{0, 0, 0, 0}), "none");
}

TEST(SourceColumns, DatesAreWrittenAsDates) {
  const Schema schema{.columns = {{.name = "born", .categories = {}, .dates = Schema::Dates::day_first}},
                      .target = "y",
                      .weights = ""};
  const Model model = ridge_of(Points({{19000.0}, {19001.0}, {19033.0}}), schema, Scaling::Kind::standard);
  const SourceColumn column = source_columns(model).at(0);
  EXPECT_EQ(value_text(column, unscaled(model.scaling, model.fitted.expansion.points.row(0))), "2022-01-08");
  EXPECT_EQ(value_text(column, unscaled(model.scaling, model.fitted.expansion.points.row(2))), "2022-02-10");
}

TEST(SourceColumns, WithoutATableTheyAreThePointsOwn) {
  const auto columns = source_columns(ridge_of(Points({{1, 2}, {3, 4}}), {}));
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[1].name, "column 2");
  EXPECT_TRUE(columns[1].categories.empty());
}

TEST(SourceColumns, UnscaledWithoutScalingIsTheRow) {
  EXPECT_EQ(unscaled(Scaling(), {1, 2}), (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace mercer
