#include <gtest/gtest.h>

#include "base/random.hpp"
#include "plot/chart.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

Chart empty(std::string title = "title") { return Chart(std::move(title), {.label = "x"}, {.label = "y"}); }

TEST(ChartSvg, StandsAlone) {
  Chart chart = empty();
  chart.note("a note");
  const std::string svg = chart.svg();
  EXPECT_TRUE(
      svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mercer-chart\" role=\"img\""));
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find("<title>title</title>\n<desc>y against x. a note.</desc>"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  for (const char* outside : {"<script", "href", "url(", "@import", "<image", " id="})
    EXPECT_EQ(svg.find(outside), std::string::npos) << outside;
}

TEST(ChartSvg, HostileWordsAreEscaped) {
  const std::string hostile = "</text><script>alert(\"&\")</script>\xff";
  Axis axis{.label = hostile, .ticks = {{0.5, hostile}}};
  Chart chart(hostile, axis, axis);
  const double half[] = {0.5};
  chart.points(half, half, {.label = hostile});
  chart.text(0.5, 0.5, hostile, {});
  chart.note(hostile);
  chart.colour_bar(ColourMap(0, 1), hostile);
  const std::string svg = chart.svg();
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
}

TEST(ChartSvg, AnySizeOfWordsIsValid) {
  for (const std::size_t length : {0, 1, 20, 2000}) {
    const std::string words(length, 'w');
    Axis axis{.label = words};
    for (int i = 0; i < 50; ++i) axis.ticks.emplace_back(i / 49.0, words);
    EXPECT_TRUE(well_formed(Chart(words, axis, axis).svg()));
    EXPECT_TRUE(well_formed(Chart(words, axis, axis, 10, 10).svg()));
  }
}

TEST(ChartSvg, TheLegendHasColumnsAndAnEnd) {
  Chart chart = empty();
  for (int i = 0; i < 300; ++i)
    chart.horizontal(0.5, series_style(std::size_t(i), "class " + std::to_string(i)));
  const std::string svg = chart.svg();
  const std::size_t shown = count(svg, ">class ");
  EXPECT_GT(shown, 20u);
  EXPECT_LT(shown, 60u);
  EXPECT_NE(svg.find(">… and " + std::to_string(300 - shown) + " more</text>"), std::string::npos);
}

TEST(ChartSvg, EveryMarkerIsDrawnAtItsPlace) {
  for (const Marker marker : {Marker::dot, Marker::ring, Marker::square, Marker::cross, Marker::triangle}) {
    Chart chart = empty();
    const double half[] = {0.5};
    chart.points(half, half, {.colour = 6, .marker = marker, .size = 4});
    const std::string svg = chart.svg();
    const Frame f = frame_in(svg);
    const auto places =
        path_points(svg, marker == Marker::triangle ? "<path class=\"f6\"" : "<path class=\"s6\"");
    ASSERT_EQ(places.size(), 1u);
    EXPECT_NEAR(places[0].x, f.x + f.width / 2, 4.1);
    EXPECT_NEAR(places[0].y, f.y + f.height / 2, 5);
  }
}

TEST(ChartSvg, ManyPointsAreThinnedOutAlikeAndFewStay) {
  Chart chart = empty();
  Random random(1);
  std::vector<double> x(200000), y(200000), few(50, 0.5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(), y[i] = random.uniform();
  chart.points(x, y, {.colour = 1});
  chart.points(few, few, {.colour = 2});
  const std::string svg = chart.svg();
  EXPECT_LT(svg.size(), 300'000u);
  const std::size_t drawn = path_points(svg, "<path class=\"s1\"").size();
  EXPECT_NEAR(double(drawn), 5000, 300);
  EXPECT_EQ(path_points(svg, "<path class=\"s2\"").size(), 50u);
  EXPECT_NE(
      svg.find(">" + std::to_string(drawn + 50) + " of 200050 points are drawn, chosen at random</text>"),
      std::string::npos);
  EXPECT_EQ(svg, chart.svg());
}

TEST(ChartSvg, ManyLinesStayBelowTheSize) {
  Chart chart = empty();
  Random random(2);
  for (int k = 0; k < 10; ++k) {
    std::vector<double> x(20001), y(20001);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i) / 20000, y[i] = std::sqrt(x[i]);
    chart.line(x, y, series_style(std::size_t(k), "curve"));
  }
  EXPECT_LT(chart.svg().size(), 300'000u);
}

TEST(ChartSvg, PanelsStandSideBySide) {
  const std::vector<Chart> two{empty("left"), empty("right")};
  const std::string svg = Chart::side_by_side(two);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find("width=\"1120\""), std::string::npos);
  EXPECT_NE(svg.find("<title>left; right</title>"), std::string::npos);
  EXPECT_NE(svg.find("<g transform=\"translate(560 0)\">"), std::string::npos);
  EXPECT_EQ(count(svg, "<style>"), 1u);
}

}  // namespace
}  // namespace mercer
