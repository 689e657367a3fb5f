#include <gtest/gtest.h>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

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
  EXPECT_NE(svg.find(">calibration error of the class predicted "), std::string::npos);
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
  EXPECT_NE(svg.find(">probability given to the class predicted<"), std::string::npos);
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
    std::snprintf(text, sizeof text, ">calibration error of the class predicted %.4f; ",
                  measure(metric_named("calibration_error"), truth, p));
    EXPECT_NE(calibration_picture(truth, p).find(text), std::string::npos) << k << ": " << text;
  }
}

}  // namespace
}  // namespace mercer
