#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

LambdaPath some_path() {
  return {.kernel = Kernel::parse("linear"),
          .lambda = {0.01, 1, 100},
          .leave_one_out = {2, 1, 3},
          .generalised = {2.5, 1.5, 3},
          .degrees_of_freedom = {20, 10, 0},
          .best = 1};
}

TEST(LambdaPathPicture, MarksTheBest) {
  const std::string svg = lambda_path_picture(some_path(), "<ridge>");
  EXPECT_TRUE(well_formed(svg));
  const Frame f = frame_in(svg);
  const auto line = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(line.size(), 3u);
  EXPECT_NEAR((line[1].x - f.x) / f.width, 0.5, 1e-3);
  // 1 on an axis from 1 − 0.12 to 3.12.
  EXPECT_NEAR((f.y + f.height - line[1].y) / f.height, 0.12 / 2.24, 1e-3);
  const auto ring = path_points(svg, "<path class=\"s1\"");
  ASSERT_EQ(ring.size(), 1u);
  EXPECT_NEAR(ring[0].x, line[1].x - 6, 0.11);
  EXPECT_NE(svg.find(">best: λ = 1, RMSE 1</text>"), std::string::npos);
  EXPECT_NE(svg.find(">at the best λ: 10</text>"), std::string::npos);
}

TEST(LambdaPathPicture, NeedsPrices) {
  EXPECT_THROW(lambda_path_picture({.kernel = Kernel::parse("linear")}), Error);
}

}  // namespace
}  // namespace mercer
