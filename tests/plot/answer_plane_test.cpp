#include "plot/answer_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/generate.hpp"
#include "mercer/methods/logistic.hpp"
#include "mercer/methods/one_class.hpp"
#include "mercer/methods/perceptron.hpp"
#include "mercer/methods/rerm.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"

namespace mercer {
namespace {

const Axis across{.label = "x", .low = -2, .high = 3}, up{.label = "y", .low = -1, .high = 2};

AnswerPlane plane_of(const Model& model, std::vector<std::size_t> columns = {0, 1},
                     std::vector<double> held = {0, 0}) {
  return answers_over(model, held, columns, across, up, false, 1, {});
}

// The middle of a cell, computed here.
std::vector<double> middle(const AnswerPlane& plane, std::size_t r, std::size_t c) {
  return {-2 + 5 * (double(c) + 0.5) / double(plane.columns),
          -1 + 3 * (double(r) + 0.5) / double(plane.rows)};
}

TEST(AnswerPlane, HasTheAnswersAtTheMiddlesOfItsCells) {
  const Dataset moons = generate("moons", {.n = 60});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=2)"), moons);
  const AnswerPlane plane = plane_of(model);
  ASSERT_EQ(plane.columns * plane.rows, plane.codes.size());
  ASSERT_EQ(plane.values.size(), plane.codes.size());
  EXPECT_TRUE(plane.odds.empty());
  for (const auto& [r, c] : {std::pair<std::size_t, std::size_t>{0, 0},
                             {0, 7},
                             {plane.rows / 2, plane.columns / 3},
                             {plane.rows - 1, plane.columns - 1}}) {
    const Predictions p = model.predict(Points({middle(plane, r, c)}));
    EXPECT_EQ(plane.codes[r * plane.columns + c], p.codes[0]);
    EXPECT_NEAR(plane.values[r * plane.columns + c], p.scores[0], 1e-12);
  }
}

TEST(AnswerPlane, ColumnsMayComeInAnyOrderAmongOthers) {
  Dataset data = generate("friedman1", {.n = 40, .dim = 5});
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const std::vector<double> held{0.1, 0.2, 0.3, 0.4, 0.5};
  const AnswerPlane plane = plane_of(model, {3, 1}, held);
  const auto at = middle(plane, 5, 9);
  EXPECT_NEAR(plane.values[5 * plane.columns + 9],
              model.predict(Points({{0.1, at[1], 0.3, at[0], 0.5}})).values[0], 1e-12);
}

TEST(AnswerPlane, CalibratedClassesHaveOdds) {
  const Model model =
      fit(Svm{}, Kernel::parse("rbf(gamma=2)"), generate("moons", {.n = 60}), {.probabilities = true});
  const AnswerPlane plane = plane_of(model);
  ASSERT_EQ(plane.odds.size(), plane.codes.size());
  for (std::size_t i = 0; i < plane.codes.size(); i += 97)
    EXPECT_EQ(plane.codes[i], plane.odds[i] > 0 ? 1 : 0);
}

TEST(AnswerPlane, NoveltyHasItsScore) {
  const Model model = fit(OneClass{.nu = 0.2}, Kernel::parse("rbf(gamma=2)"), generate("moons", {.n = 60}));
  const AnswerPlane plane = plane_of(model);
  EXPECT_TRUE(plane.codes.empty());
  EXPECT_NEAR(plane.values[3], model.predict(Points({middle(plane, 0, 3)})).scores[0], 1e-12);
}

TEST(AnswerPlane, OneColumnHasOneRowOfCells) {
  const Model model =
      fit(Svm{}, Kernel::parse("rbf(gamma=2)"), generate("blobs", {.n = 30, .dim = 1, .classes = 3}));
  const AnswerPlane plane = plane_of(model, {0}, {0});
  EXPECT_EQ(plane.rows, 1u);
  EXPECT_EQ(plane.codes.size(), plane.columns);
  EXPECT_TRUE(plane.values.empty());
}

TEST(AnswerPlane, OnlyHingesHaveMargins) {
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
