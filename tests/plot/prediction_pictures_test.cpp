#include <gtest/gtest.h>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(ConfusionPicture, CountsStandInTheirCells) {
  auto [truth, p] = predicted_classes(10, 2);
  truth.codes = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
  p.codes = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};  // 5 2 / 0 3
  const std::string svg = confusion_picture(truth, p);
  const Frame f = frame_in(svg);
  const auto place = [&](const std::string& number) {
    const std::size_t end = svg.find(">" + number + "</text>"),
                      begin = svg.rfind("<text class=\"fi mid\"", end);
    const std::string tag = svg.substr(begin, end - begin);
    return Place{(attribute(tag, "x") - f.x) / f.width, (attribute(tag, "y") - 4 - f.y) / f.height};
  };
  EXPECT_NEAR(place("5").x, 0.25, 2e-3);
  EXPECT_NEAR(place("5").y, 0.25, 2e-3);
  EXPECT_NEAR(place("2").x, 0.75, 2e-3);
  EXPECT_NEAR(place("2").y, 0.25, 2e-3);
  EXPECT_NEAR(place("3").y, 0.75, 2e-3);
  EXPECT_EQ(count(svg, "<path class=\"f1\""), 1u);                                // one kind of mistake
  EXPECT_NE(svg.find("<path class=\"f0\" opacity=\"0.60\""), std::string::npos);  // all of the second class
  EXPECT_NE(svg.find(">accuracy 0.8000, balanced 0.8571, of 10 rows</text>"), std::string::npos);
}

TEST(ConfusionPicture, AnyNumberOfClassesIsValid) {
  for (const std::size_t k : {1, 2, 10, 26, 30, 200}) {
    const auto [truth, p] = predicted_classes(3000, k, 1, 3);
    const std::string svg = confusion_picture(truth, p, std::string(300, 'k'));
    EXPECT_TRUE(well_formed(svg)) << k;
    EXPECT_LT(svg.size(), 300'000u) << k;
    EXPECT_EQ(count(svg, "the 30 classes with the most mistakes, of 200</text>"), k == 200 ? 1u : 0u);
  }
}

TEST(ConfusionPicture, LeavesOutClassesThatAreNotThere) {
  auto [truth, p] = predicted_classes(50, 2);
  truth.labels.push_back("</text>");
  EXPECT_TRUE(well_formed(confusion_picture(truth, p)));
  EXPECT_EQ(count(confusion_picture(truth, p), "&lt;/text&gt;"), 0u);
  truth.codes[0] = 2;
  EXPECT_EQ(count(confusion_picture(truth, p), ">&lt;/text&gt;<"), 2u);
}

TEST(ConfusionPicture, ShortensLargeNumbers) {
  auto [truth, p] = predicted_classes(120'000, 2);
  p.codes = truth.codes = std::vector<std::int32_t>(120'000, 1);
  EXPECT_NE(confusion_picture(truth, p).find(">120k</text>"), std::string::npos);
}

TEST(ConfusionPicture, NeedsRows) { EXPECT_THROW(confusion_picture({}, {}), Error); }

TEST(CalibrationPicture, ComparesWhatWasSaidWithWhatHappened) {
  // 0.2 was said four times and happened once, 0.9 twice and happened twice.
  auto [truth, p] = predicted_classes(6, 2);
  truth.codes = {1, 0, 0, 0, 1, 1};
  p.probabilities.clear();
  for (const double said : {0.2, 0.2, 0.2, 0.2, 0.9, 0.9})
    p.probabilities.insert(p.probabilities.end(), {1 - said, said});
  const std::string svg = calibration_picture(truth, p);
  const Frame f = frame_in(svg);
  // It comes behind the intervals.
  const std::size_t line = svg.find("<path class=\"s0\"", svg.find("<path class=\"s0\"") + 1);
  const auto places = path_points(svg.substr(line), "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 2u);
  const double expected[][2] = {{0.2, 0.25}, {0.9, 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR((places[i].x - f.x) / f.width, expected[i][0], 1e-3);
    EXPECT_NEAR(1 - (places[i].y - f.y) / f.height, expected[i][1], 1e-3);
  }
  EXPECT_NE(svg.find(">calibration error of the predicted class "), std::string::npos);
  // Wilson's interval of 1 in 4 (statsmodels: proportion_confint(1, 4, method="wilson")).
  const auto whiskers = path_points(svg, "<path class=\"s0\"");
  EXPECT_NEAR(1 - (whiskers[0].y - f.y) / f.height, 0.0455873, 1e-3);
  EXPECT_NEAR(1 - (whiskers[1].y - f.y) / f.height, 0.6993582, 1e-3);
  EXPECT_NE(svg.find(">6 rows</text>"), std::string::npos);
}

TEST(CalibrationPicture, OfSeveralClassesIsAboutThePredictedOne) {
  const auto [truth, p] = predicted_classes(2000, 5);
  const std::string svg = calibration_picture(truth, p, "a & b");
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find(">probability of the predicted class<"), std::string::npos);
  EXPECT_LT(svg.size(), 50'000u);
}

TEST(CalibrationPicture, NeedsProbabilities) {
  auto [truth, p] = predicted_classes(10, 2);
  p.probabilities.clear();
  EXPECT_THROW(calibration_picture(truth, p), Error);
  EXPECT_THROW(calibration_picture({}, {}), Error);
  const auto [one, certain] = predicted_classes(1, 2);
  EXPECT_TRUE(well_formed(calibration_picture(one, certain)));
}

// The table of a report and the picture below it tell one number.
TEST(CalibrationPicture, TellsTheMetric) {
  for (const std::size_t k : {2, 3, 5}) {
    const auto [truth, p] = predicted_classes(500, k);
    char text[96];
    std::snprintf(text, sizeof text, ">calibration error of the predicted class %.4f; ",
                  measure(metric_named("calibration_error"), truth, p));
    EXPECT_NE(calibration_picture(truth, p).find(text), std::string::npos) << k << ": " << text;
  }
}

TEST(ResidualPicture, PredictedStandsAgainstTrue) {
  const auto [truth, p] = predicted_numbers({0, 1, 2, 10}, {1, 1, 1, 9});
  const std::string svg = residual_picture(truth, p);
  const Frame f = frame_in(svg);
  const auto places = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 4u);
  // Both axes go from −0.4 to 10.4: the range with 4 % at each end.
  EXPECT_NEAR((places[3].x - f.x) / f.width, 10.4 / 10.8, 1e-3);
  EXPECT_NEAR(1 - (places[3].y - f.y) / f.height, 9.4 / 10.8, 1e-3);
  const auto diagonal = path_points(svg, "<path class=\"sm\"");
  EXPECT_NEAR(diagonal[0].x, f.x, 0.06);
  EXPECT_NEAR(diagonal[0].y, f.y + f.height, 0.06);
  EXPECT_NE(svg.find(">RMSE 0.866, MAE 0.75, R² 0.9522, of 4 rows</text>"), std::string::npos);
}

TEST(ResidualPicture, ResidualsAreTrueMinusPredicted) {
  const auto [truth, p] = predicted_numbers({0, 4}, {0, 2});  // residuals 0 and 2, predicted 0 and 2
  const std::string svg = residual_picture(truth, p), right = svg.substr(svg.find("<g transform"));
  const Frame f = frame_in(right);
  const auto places = path_points(right, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_NEAR((places[1].x - f.x) / f.width, 2.08 / 2.16, 1e-3);
  EXPECT_NEAR(1 - (places[1].y - f.y) / f.height, 2.12 / 2.24, 1e-3);
}

TEST(ResidualPicture, OutputsHaveTheirNames) {
  auto [truth, p] = predicted_numbers({1, 2, 3, 4}, {1, 2, 3, 5}, 2);
  truth.name = "a,<b>";
  const std::string svg = residual_picture(truth, p);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find(">&lt;b&gt;</text>"), std::string::npos);
}

TEST(ResidualPicture, AnySizeIsValid) {
  const auto [truth, p] = predicted_numbers({3}, {3});
  EXPECT_TRUE(well_formed(residual_picture(truth, p)));
  std::vector<double> many(50'000), other(50'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = double(i), other[i] = double(i) * 1.1;
  const auto [long_truth, long_p] = predicted_numbers(many, other);
  EXPECT_LT(residual_picture(long_truth, long_p).size(), 300'000u);
}

TEST(ResidualPicture, RefusesWhatDoesNotBelongTogether) {
  const auto [truth, p] = predicted_numbers({1, 2}, {1});
  EXPECT_EQ(refusal_of([&] { residual_picture(truth, p); }),
            "1 predicted numbers do not belong to 2 true ones");
  EXPECT_EQ(refusal_of([&] { residual_picture(predicted_numbers({}, {}).truth, {}); }),
            "there are no rows to draw");
}

}  // namespace
}  // namespace mercer
