#include "plot/row_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mercer/generate.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(RowPoints, TheMapHoldsTheFieldButNotOutliersOfTheRows) {
  std::vector<double> values(100, 5);
  values[0] = 1e9;
  const std::vector<double> field{2, 8};
  EXPECT_EQ(map_of_values(field, values).high(), 8);
  EXPECT_EQ(map_of_values(field, values).low(), 2);
  EXPECT_EQ(map_of_values({}, std::vector<double>{3, 9}).high(), 9);
  EXPECT_EQ(map_of_values({}, std::vector<double>{std::numeric_limits<double>::infinity()}).high(), 1);
}

TEST(RowPoints, ClassesHaveThePlaceThatTheModelGivesThem) {
  const Target target{.task = Task::classification, .labels = {"b", "new", "a"}, .codes = {0, 1, 2, 2}};
  std::vector<std::string> labels;
  EXPECT_EQ(classes_of(target, std::vector<std::string>{"a", "b", "c"}, labels),
            (std::vector<std::size_t>{1, 3, 0, 0}));
  EXPECT_EQ(labels, (std::vector<std::string>{"a", "b", "c", "new"}));
}

TEST(RowPoints, ANumberAloneIsNoTitle) {
  EXPECT_EQ(class_title("species", "setosa"), "setosa");
  EXPECT_EQ(class_title("y", "-1"), "y = -1");
  EXPECT_EQ(class_title("", "3"), "class = 3");
  EXPECT_EQ(class_title("y", ""), "");
}

TEST(RowPoints, EightClassesHaveEightColoursAndNoneIsARing) {
  std::set<int> colours;
  for (std::size_t c = 0; c < 8; ++c) {
    colours.insert(class_colour(c));
    EXPECT_EQ(class_style(c, 10).colour, class_colour(c));
    EXPECT_NE(class_style(c, 10).marker, Marker::ring);
  }
  EXPECT_EQ(colours.size(), 8u);
  EXPECT_EQ(class_colour(9), class_colour(1));
  EXPECT_LT(class_style(0, 5000).size, class_style(0, 50).size);
  EXPECT_LT(ring_style(1000, "").opacity, ring_style(10, "").opacity);
}

TEST(RowPoints, OnlyClassesWithRowsAreInTheLegend) {
  Chart chart("", {.label = "x"}, {.label = "y"});
  const std::vector<double> x{0.1, 0.2, 0.3}, y{0.5, 0.5, 0.5};
  add_classes(chart, x, y, std::vector<std::size_t>{0, 2, 2},
              std::vector<std::string>{"one", "two", "three"});
  const std::string svg = chart.svg();
  EXPECT_EQ(count(svg, ">one<"), 1u);
  EXPECT_EQ(count(svg, ">two<"), 0u);
  EXPECT_EQ(count(svg, ">three<"), 1u);
}

TEST(RowPoints, ASampleIsNotedUnlessItIsAll) {
  Chart chart("", {.label = "x"}, {.label = "y"});
  note_sample(chart, 10, 10, "rows");
  EXPECT_EQ(count(chart.svg(), "drawn"), 0u);
  note_sample(chart, 10, 200, "rows");
  EXPECT_EQ(count(chart.svg(), ">10 of 200 rows are drawn, chosen at random<"), 1u);
}

// Independently: of a support vector machine the rows that are not beyond the margin on their side support
// it.
std::size_t rows_at_margin(const Model& model, const Dataset& data) {
  const Predictions p = model.predict(data.points);
  std::size_t count = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    count += (data.target.codes[i] == 1 ? 1 : -1) * p.scores[i] <= 1 + 1e-3;
  return count;
}

TEST(SupportPlaces, AreRowsOfTheDataInTheirOwnUnits) {
  const Dataset moons = generate("moons", {.n = 80});
  for (const auto scaling : {Scaling::Kind::none, Scaling::Kind::standard, Scaling::Kind::minmax}) {
    const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {}, scaling);
    const auto places = support_places(model, std::vector<std::size_t>{1, 0});
    ASSERT_TRUE(places);
    ASSERT_EQ(places->size(), 2 * model.fitted.report.support_vectors);
    EXPECT_NEAR(double(places->size() / 2), double(rows_at_margin(model, moons)), 2);
    for (std::size_t s = 0; s < places->size(); s += 2) {
      double nearest = 1;
      for (std::size_t i = 0; i < moons.rows(); ++i) {
        const auto row = moons.points.row(i);
        nearest = std::min(nearest, std::hypot(row[1] - (*places)[s], row[0] - (*places)[s + 1]));
      }
      EXPECT_LT(nearest, 1e-9);
    }
  }
}

TEST(SupportPlaces, EveryRowThatTheKernelKeepsIsNotOne) {
  const Dataset moons = generate("moons", {.n = 60});
  const Model model = fit(Svm{}, Kernel::parse("center(rbf(gamma=1))"), moons);
  ASSERT_TRUE(support_rows(model));
  EXPECT_EQ(support_rows(model)->rows(), model.fitted.report.support_vectors);
  EXPECT_LT(support_rows(model)->rows(), 60u);
}

TEST(SupportPlaces, AreNotKeptByWeightsNorByFeaturesAndOthersHaveNone) {
  const Dataset moons = generate("moons", {.n = 60, .noise = 0.4});
  const std::vector<std::size_t> columns{0, 1};
  const Model model = fit(Svm{}, Kernel::parse("linear"), moons);
  ASSERT_TRUE(support_places(model, columns));
  EXPECT_EQ(support_places(model, columns)->size(), 2 * model.fitted.report.support_vectors);
  const Model loaded = Model::from_bytes(model.bytes());  // with weights alone
  EXPECT_TRUE(has_support_vectors(loaded));
  EXPECT_FALSE(support_places(loaded, columns));
  EXPECT_FALSE(
      support_places(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {.approx = "nystrom:10"}), columns));
  const Model ridge = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), generate("sine", {.n = 20}));
  EXPECT_FALSE(has_support_vectors(ridge));
  EXPECT_FALSE(support_rows(ridge));
}

}  // namespace
}  // namespace mercer
