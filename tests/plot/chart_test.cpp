// Points in the colours of their values.
#include "plot/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plot/svg_text.hpp"

namespace mercer {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A chart, with the frame that it draws in.
struct Drawn {
  Chart chart;
  Drawn() : chart("t", {.label = "x", .low = 0, .high = 10}, {.label = "y", .low = -1, .high = 1}) {}

  Frame frame() const { return frame_in(chart.svg()); }
  Place at(double x, double y) const {
    const Frame f = frame();
    return {f.x + x / 10 * f.width, f.y + (1 - (y + 1) / 2) * f.height};
  }
};

TEST(Chart, ALineGoesThroughItsPoints) {
  Drawn d;
  const double x[] = {0, 2.5, 10}, y[] = {-1, 0.5, 0};
  d.chart.line(x, y, {.colour = 1});
  const auto places = path_points(d.chart.svg(), "<path class=\"s1\"");
  ASSERT_EQ(places.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(places[i].x, d.at(x[i], y[i]).x, 0.051);
    EXPECT_NEAR(places[i].y, d.at(x[i], y[i]).y, 0.051);
  }
}

TEST(Chart, ALineIsCutAtTheFrameAndBrokenByNaN) {
  Drawn d;
  const double x[] = {0, 5, 6, 7, 10}, y[] = {0, 2, not_a_number, 0, 0};  // crosses 1 at x = 2.5
  d.chart.line(x, y, {.colour = 1});
  const std::string svg = d.chart.svg();
  const auto places = path_points(svg, "<path class=\"s1\"");
  ASSERT_EQ(places.size(), 4u);
  EXPECT_NEAR(places[1].x, d.at(2.5, 1).x, 0.051);
  EXPECT_NEAR(places[1].y, d.at(2.5, 1).y, 0.051);
  EXPECT_NEAR(places[2].x, d.at(7, 0).x, 0.051);
}

TEST(Chart, ALongLineKeepsItsShapeInFewPoints) {
  Drawn d;
  std::vector<double> x, y;
  for (int i = 0; i <= 100000; ++i) {
    x.push_back(i * 1e-4);
    y.push_back(i == 50000 ? 0.9 : 0);  // a needle
  }
  d.chart.line(x, y, {.colour = 1});
  const auto places = path_points(d.chart.svg(), "<path class=\"s1\"");
  EXPECT_LT(places.size(), 2500u);
  EXPECT_TRUE(
      std::ranges::any_of(places, [&](const Place& p) { return std::abs(p.y - d.at(5, 0.9).y) < 0.1; }));
  EXPECT_NEAR(places.back().x, d.at(10, 0).x, 0.051);
}

TEST(Chart, ABandIsTheAreaBetween) {
  Drawn d;
  const double x[] = {0, 10}, low[] = {-0.5, -0.5}, high[] = {0.5, 3};
  d.chart.band(x, low, high, {.colour = 2, .opacity = 0.2});
  const auto places = path_points(d.chart.svg(), "<path class=\"f2\"");
  double area = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place &a = places[i], &b = places[(i + 1) % places.size()];
    area += (a.x * b.y - b.x * a.y) / 2;
  }
  const Frame f = d.frame();
  // From −0.5 up to min(0.5 + x/4, 1), which is 1 from x = 2: (2·1.25 + 8·1.5)/20 of the plot.
  EXPECT_NEAR(std::abs(area) / (f.width * f.height), 14.5 / 20, 1e-3);
}

TEST(Chart, PointsOutsideAreLeftOut) {
  Drawn d;
  const double x[] = {1, 2, -1, not_a_number}, y[] = {0, 2, 0, 0};
  d.chart.points(x, y, {.colour = 3});
  const auto places = path_points(d.chart.svg(), "<path class=\"s3\"");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_NEAR(places[0].x, d.at(1, 0).x, 0.051);
}

TEST(Chart, BarsStandOnZero) {
  Drawn d;
  const double at[] = {2, 4}, heights[] = {0.5, -0.5};
  d.chart.bars(at, heights, 1, {.colour = 4, .label = "bars"});
  const std::string svg = d.chart.svg();
  EXPECT_EQ(count(svg, "<path class=\"f4\""), 3u);  // two, and one in the legend
  const std::size_t first = svg.find("<path class=\"f4\"");
  const auto places = path_points(svg.substr(first), "<path class=\"f4\"");
  EXPECT_NEAR(places[0].x, d.at(1.5, 0.5).x, 0.051);
  EXPECT_NEAR(places[0].y, d.at(1.5, 0.5).y, 0.051);
  EXPECT_NE(svg.find("V" + pixels(d.at(0, 0).y)), std::string::npos);
}

TEST(Chart, CellsBeginAtTheBottom) {
  Drawn d;
  const std::vector<std::uint8_t> colours{0, 1, 1, 255};
  d.chart.cells(2, 2, colours, 0.3);
  const std::string svg = d.chart.svg();
  EXPECT_NE(svg.find("<path class=\"s0\" d=\"M0 0.5h1\"/>"), std::string::npos);
  EXPECT_NE(svg.find("<path class=\"s1\" d=\"M1 0.5h1M0 1.5h1\"/>"), std::string::npos);
  EXPECT_NE(svg.find(" -" + pixels(d.frame().height / 2) + ")"), std::string::npos);
}

TEST(Chart, HeatIsColouredByNumber) {
  Drawn d;
  d.chart.heat(3, 1, std::vector<double>{0, not_a_number, 1}, ColourMap(0, 1));
  d.chart.colour_bar(ColourMap(0, 1), "accuracy");
  const std::string svg = d.chart.svg();
  EXPECT_NE(svg.find("<path stroke=\"#440154\" d=\"M0 0.5h1\"/>"), std::string::npos);
  EXPECT_NE(svg.find("<path stroke=\"#999\" d=\"M1 0.5h1\"/>"), std::string::npos);
  EXPECT_NE(svg.find(">accuracy</text>"), std::string::npos);
}

TEST(Chart, AContourReachesTheFrame) {
  Drawn d;
  std::vector<double> values;  // y, in the middle of 4 × 4 cells
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) values.push_back(-0.75 + 0.5 * r);
  d.chart.contour(4, 4, values, 0.1, {.colour = 5});
  const auto places = path_points(d.chart.svg(), "<path class=\"s5\"");
  ASSERT_GE(places.size(), 2u);
  EXPECT_NEAR(std::min(places.front().x, places.back().x), d.frame().x, 0.051);
  EXPECT_NEAR(std::max(places.front().x, places.back().x), d.frame().x + d.frame().width, 0.051);
  for (const Place& place : places) EXPECT_NEAR(place.y, d.at(0, 0.1).y, 0.051);
}

TEST(Chart, AContourGoesStraightOnToTheFrame) {
  Drawn d;
  std::vector<double> values;  // x/10 + (y + 1)/2: 1 along the diagonal from the top left to the bottom right
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 4; ++c) values.push_back((c + 0.5) / 4 + (r + 0.5) / 5);
  d.chart.contour(4, 5, values, 1, {.colour = 5});
  const auto places = path_points(d.chart.svg(), "<path class=\"s5\"");
  const Frame f = d.frame();
  ASSERT_GE(places.size(), 2u);
  for (const Place& place : places) EXPECT_NEAR((place.x - f.x) / f.width, (place.y - f.y) / f.height, 1e-3);
  EXPECT_NEAR(std::abs(places.front().x - places.back().x), f.width, 0.11);
}

TEST(Chart, ContoursOfTinyGridsAreValid) {
  Drawn d;
  d.chart.contour(0, 0, {}, 0, {});
  d.chart.contour(1, 1, std::vector<double>{1}, 0, {});
  d.chart.contour(2, 1, std::vector<double>{-1, 1}, 0, {.colour = 5});
  const auto places = path_points(d.chart.svg(), "<path class=\"s5\"");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_NEAR(places[0].x, d.at(5, 0).x, 0.051);
}

TEST(Chart, LinesAcrossThePlot) {
  Drawn d;
  d.chart.horizontal(0.5, {.colour = 1, .dashed = true});
  d.chart.vertical(5, {.colour = 2});
  d.chart.horizontal(5, {.colour = 3});
  const std::string svg = d.chart.svg();
  EXPECT_NEAR(path_points(svg, "<path class=\"s1\"")[0].y, d.at(0, 0.5).y, 0.051);
  EXPECT_NEAR(path_points(svg, "<path class=\"s2\"")[0].x, d.at(5, 0).x, 0.051);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_EQ(svg.find("<path class=\"s3\""), std::string::npos);
}

TEST(Chart, StylesDiffer) {
  EXPECT_NE(series_style(0).colour, series_style(1).colour);
  EXPECT_NE(series_style(0).dashed, series_style(palette_size).dashed);
  for (std::size_t i = 0; i + 1 < 40; ++i) EXPECT_NE(series_style(i).marker, series_style(i + 1).marker);
}

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
