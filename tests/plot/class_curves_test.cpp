#include "plot/class_curves.hpp"

#include <gtest/gtest.h>

#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(ClassCurves, OfTwoClassesThereIsOneForTheSecond) {
  auto [truth, p] = predicted_classes(40, 2);
  auto curves = class_curves(truth, p);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].label, 1u);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(curves[0].positive[i], truth.codes[i] == 1);
    EXPECT_EQ(curves[0].scores[i], p.probabilities[2 * i + 1]);
  }
  p.scores.assign(40, 0.25);  // one decision value, positive for the second class, is preferred
  EXPECT_EQ(class_curves(truth, p)[0].scores[7], 0.25);
  p.width = 2;  // a score for each class
  p.scores.assign(80, 0);
  p.scores[1] = 3;
  EXPECT_EQ(class_curves(truth, p)[0].scores[0], 3);
}

TEST(ClassCurves, OfMoreClassesThereIsOneForEachByItsProbability) {
  const auto [truth, p] = predicted_classes(50, 4);
  const auto curves = class_curves(truth, p);
  ASSERT_EQ(curves.size(), 4u);
  EXPECT_EQ(curves[2].scores[9], p.probabilities[9 * 4 + 2]);
}

TEST(ClassCurves, WithoutProbabilitiesDecisionValuesAreTaken) {
  auto [truth, p] = predicted_classes(3, 3);
  p.probabilities.clear();
  p.width = 3;
  p.scores = {1, 2, 4, 1, 2, 4, 1, 2, 4};
  EXPECT_EQ(class_curves(truth, p)[2].scores[0], 4);
  p.pairs = true;  // 0 against 1, 0 against 2, 1 against 2
  EXPECT_EQ(class_curves(truth, p)[0].scores[0], 1 + 2);
  EXPECT_EQ(class_curves(truth, p)[1].scores[0], -1 + 4);
  EXPECT_EQ(class_curves(truth, p)[2].scores[0], -2 - 4);
}

TEST(ClassCurves, ClassesWithoutRowsAreLeftOut) {
  auto [truth, p] = predicted_classes(30, 3);
  for (std::int32_t& code : truth.codes) code = code == 2 ? 0 : code;
  EXPECT_EQ(class_curves(truth, p).size(), 2u);
  for (std::int32_t& code : truth.codes) code = 1;
  EXPECT_EQ(refusal_of([&] { class_curves(truth, p); }),
            "all rows are of one class; a curve needs rows of two");
}

TEST(ClassCurves, RefusesWhatDoesNotBelongTogether) {
  auto [truth, p] = predicted_classes(30, 3);
  const auto refused = [&](Target t, Predictions q) { return refusal_of([&] { class_curves(t, q); }); };
  Predictions without = p;
  without.probabilities.clear();
  EXPECT_EQ(
      refused(truth, without),
      "this picture needs probabilities, which the model does not give; fit the model with probabilities");
  Predictions fewer = p;
  fewer.codes.pop_back();
  EXPECT_EQ(refused(truth, fewer), "29 predicted classes do not belong to 30 rows");
  Predictions broken = p;
  broken.probabilities[5] = std::nan("");
  EXPECT_EQ(refused(truth, broken), "a probability of row 2 is not finite");
  Predictions beyond = p;
  beyond.codes[0] = 3;
  EXPECT_EQ(refused(truth, beyond), "class 3 is not one of the target's 3 labels");
  EXPECT_EQ(refused(Target{.task = Task::regression}, p),
            "this picture is about classes, but the target has none");
  EXPECT_EQ(refused(Target{.task = Task::classification, .labels = {"a", "b"}}, {}),
            "there are no rows to draw");
}

TEST(ClassCurves, OfManyClassesTheWorstStandOut) {
  const auto [truth, p] = predicted_classes(400, 26);
  auto curves = class_curves(truth, p);
  for (std::size_t i = 0; i < curves.size(); ++i)
    curves[i].curve = {{0, 1}, {0, 1}}, curves[i].area = i == 17 ? 0.1 : 0.9;
  Chart chart("", {}, {});
  draw_curves(chart, truth, curves, "area");
  const std::string svg = chart.svg();
  EXPECT_NE(svg.find(">class 17: area 0.100</text>"), std::string::npos);
  EXPECT_NE(svg.find(">the other 20 classes</text>"), std::string::npos);
  EXPECT_EQ(count(svg, ": area 0.900</text>"), 5u);
  EXPECT_NE(svg.find(">mean area of a class against the others 0.8692; the 6 smallest in colour</text>"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
