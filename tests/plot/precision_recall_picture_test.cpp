#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

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
