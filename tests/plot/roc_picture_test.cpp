#include <gtest/gtest.h>

#include <cstdio>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
