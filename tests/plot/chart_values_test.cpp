// Points in the colours of their values.
#include <gtest/gtest.h>

#include <limits>

#include "svg_text.hpp"
#include "plot/chart.hpp"

namespace mercer {
namespace {

TEST(ChartValues, APointHasTheColourOfItsValueAndARim) {
  Chart chart("", {.label = "x", .low = 0, .high = 1}, {.label = "y", .low = 0, .high = 1});
  const ColourMap map(0, 10);
  const std::vector<double> x{0.1, 0.5, 0.9, 0.7, 2}, y{0.5, 0.5, 0.5, 0.5, 0.5},
      values{0, 10, 10, std::numeric_limits<double>::quiet_NaN(), 5};
  chart.points(x, y, values, map, 3);
  const std::string svg = chart.svg();
  EXPECT_TRUE(well_formed(svg));
  const Frame frame = frame_in(svg);
  const auto low = path_points(svg, "<path stroke=\"" + map.colour(0).hex()),
             high = path_points(svg, "<path stroke=\"" + map.colour(ColourMap::steps - 1).hex());
  ASSERT_EQ(low.size(), 1u);
  ASSERT_EQ(high.size(), 2u);  // neither the one that is not a number nor the one outside
  EXPECT_NEAR(low[0].x, frame.x + 0.1 * frame.width, 0.1);
  EXPECT_NEAR(high[1].x, frame.x + 0.9 * frame.width, 0.1);
  EXPECT_EQ(path_points(svg, "<path class=\"si\" stroke-width=\"7.4\"").size(), 3u);
}

TEST(ChartValues, NoPointsLeaveNothing) {
  Chart chart("", {.label = "x"}, {.label = "y"});
  const std::string before = chart.svg();
  chart.points({}, {}, std::span<const double>(), ColourMap(0, 1));
  EXPECT_EQ(chart.svg(), before);
}

}  // namespace
}  // namespace mercer
