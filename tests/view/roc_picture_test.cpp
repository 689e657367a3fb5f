#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "view/predicted.hpp"
#include "view/svg_text.hpp"

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

}  // namespace
}  // namespace mercer
