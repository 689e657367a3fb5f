#include <gtest/gtest.h>

#include "mercer/generate.hpp"
#include "mercer/model_pictures.hpp"
#include "svg_text.hpp"

namespace mercer {
namespace {

TEST(ComponentsPicture, ClassesHaveALegendAndNumbersABar) {
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const std::string classes = components_picture(kernel, generate("blobs", {.n = 40}));
  EXPECT_TRUE(well_formed(classes));
  EXPECT_EQ(count(classes, ">y = 2<"), 1u);
  EXPECT_EQ(count(classes, ">Principal components · rbf(gamma=0.5)</text>"), 1u);
  const std::string values = components_picture(kernel, generate("friedman1", {.n = 40}), {.title = "ours"});
  EXPECT_TRUE(well_formed(values));
  EXPECT_EQ(count(values, ">y</text>"), 1u);
  EXPECT_EQ(count(values, ">ours</text>"), 1u);
  Dataset bare = generate("blobs", {.n = 40});
  bare.target = {};
  EXPECT_EQ(
      path_points(components_picture(kernel, bare), "<path class=\"s0\" fill=\"none\" stroke-width=\"6\"")
          .size(),
      40u);
}

// Of the linear kernel the first component of points along a diagonal is the place on it, in order.
TEST(ComponentsPicture, PointsLieAtTheirCoordinates) {
  const Dataset data{.points = Points({{0, 0}, {1, 1}, {3, 3}})};
  const std::string svg = components_picture(Kernel::parse("linear"), data);
  const auto places = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 3u);
  EXPECT_NEAR((places[2].x - places[1].x) / (places[1].x - places[0].x), 2, 0.02);
  EXPECT_EQ(places[0].y, places[2].y);
  EXPECT_EQ(count(svg, ">component 2 (0.0 % of the variance)<"), 1u);
}

TEST(ComponentsPicture, SaysHowManyRowsItIsMadeOf) {
  const std::string svg = components_picture(Kernel::parse("rbf(gamma=1)"), generate("moons", {.n = 4100}));
  EXPECT_EQ(count(svg, ">4000 of 4100 rows are drawn, chosen at random<"), 1u);
  EXPECT_EQ(count(svg, ">the components are those of 2000 rows<"), 1u);
  EXPECT_LT(svg.size(), 300000u);
}

}  // namespace
}  // namespace mercer
