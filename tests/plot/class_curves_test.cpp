#include "plot/class_curves.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
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

TEST(RocPicture, IsTheCurveOfTheScores) {
  // By score from the top: 1, 0, 1, 0 of the second class, so (0, 0) (0, ½) (½, ½) (½, 1) (1, 1).
  auto [truth, p] = predicted_classes(4, 2);
  truth.codes = {1, 0, 1, 0};
  p.probabilities = {0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6};
  const std::string svg = roc_picture(truth, p, "title");
  const Frame f = frame_in(svg);
  const auto places = path_points(svg, "<path class=\"s1\"");
  const double expected[][2] = {{0, 0}, {0, 0.5}, {0.5, 0.5}, {0.5, 1}, {1, 1}};
  ASSERT_EQ(places.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR((places[i].x - f.x) / f.width, expected[i][0], 1e-3);
    EXPECT_NEAR(1 - (places[i].y - f.y) / f.height, expected[i][1], 1e-3);
  }
  EXPECT_NE(svg.find(">class 1: AUC 0.750</text>"), std::string::npos);
}

TEST(RocPicture, AnyNumberOfClassesIsValid) {
  for (const std::size_t k : {2, 3, 8, 9, 26, 120}) {
    const auto [truth, p] = predicted_classes(600, k);
    const std::string svg = roc_picture(truth, p, "<&>");
    EXPECT_TRUE(well_formed(svg)) << k;
    EXPECT_LT(svg.size(), 300'000u) << k;
  }
}

TEST(RocPicture, ManyRowsStaySmall) {
  const auto [truth, p] = predicted_classes(100'000, 2);
  EXPECT_LT(roc_picture(truth, p).size(), 40'000u);
}

TEST(RocPicture, NeedsRowsOfTwoClasses) {
  const auto [truth, p] = predicted_classes(1, 2);
  EXPECT_THROW(roc_picture(truth, p), Error);
  EXPECT_THROW(roc_picture({}, {}), Error);
}

// The table of a report and the picture below it tell one number, also of decision values for pairs.
TEST(RocPicture, TellsTheMetric) {
  for (const bool pairs : {false, true}) {
    auto [truth, p] = predicted_classes(300, 4);
    if (pairs) {
      p.pairs = true;
      p.width = 6;
      for (std::size_t i = 0; i < truth.codes.size(); ++i)
        for (std::size_t a = 0; a < 4; ++a)
          for (std::size_t b = a + 1; b < 4; ++b)
            p.scores.push_back(p.probabilities[4 * i + a] - p.probabilities[4 * i + b] +
                               0.1 * std::sin(double(7 * i + a + b)));
      p.probabilities.clear();
    }
    char text[32];
    std::snprintf(text, sizeof text, ">auc %.4f: ", measure(metric_named("auc"), truth, p));
    EXPECT_NE(roc_picture(truth, p).find(text), std::string::npos) << text;
  }
}

TEST(PrecisionRecallPicture, IsTheCurveInSteps) {
  // By score from the top: 1, 0, 1, 0 of the second class: precision 1 up to recall ½, then ⅔.
  auto [truth, p] = predicted_classes(4, 2);
  truth.codes = {1, 0, 1, 0};
  p.probabilities = {0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6};
  const std::string svg = precision_recall_picture(truth, p);
  const Frame f = frame_in(svg);
  const auto places = path_points(svg, "<path class=\"s1\"");
  const double expected[][2] = {{0, 1}, {0.5, 1}, {0.5, 2 / 3.}, {1, 2 / 3.}};
  ASSERT_EQ(places.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR((places[i].x - f.x) / f.width, expected[i][0], 1e-3);
    EXPECT_NEAR(1 - (places[i].y - f.y) / f.height, expected[i][1], 1e-3);
  }
  EXPECT_NE(svg.find(">class 1: average precision 0.833</text>"), std::string::npos);
  // Guessing is right as often as the class is frequent.
  EXPECT_NEAR(1 - (path_points(svg, "<path class=\"sm\"")[0].y - f.y) / f.height, 0.5, 1e-3);
}

TEST(PrecisionRecallPicture, AnyNumberOfClassesIsValid) {
  for (const std::size_t k : {2, 3, 26}) {
    const auto [truth, p] = predicted_classes(3000, k);
    const std::string svg = precision_recall_picture(truth, p, "<&>");
    EXPECT_TRUE(well_formed(svg)) << k;
    EXPECT_LT(svg.size(), 300'000u) << k;
  }
}

TEST(PrecisionRecallPicture, NeedsRows) { EXPECT_THROW(precision_recall_picture({}, {}), Error); }

}  // namespace
}  // namespace mercer
