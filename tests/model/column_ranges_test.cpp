#include "model/column_ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mercer/methods.hpp"
#include "mercer/model.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
