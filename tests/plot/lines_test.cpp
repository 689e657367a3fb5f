#include "plot/lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/random.hpp"

namespace mercer {
namespace {

constexpr Frame unit{0, 0, 1, 1};

double area(const std::vector<Place>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Place &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return std::abs(sum) / 2;
}

TEST(Clip, KeepsASegmentWithin) {
  const auto part = clipped(unit, {0, 0}, {1, 0.5});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->second.x, 1);
  EXPECT_EQ(part->second.y, 0.5);
}

TEST(Clip, CutsASegmentAtTheFrame) {
  const auto part = clipped(unit, {-1, 0.5}, {3, 0.5});
  ASSERT_TRUE(part);
  EXPECT_NEAR(part->first.x, 0, 1e-12);
  EXPECT_NEAR(part->second.x, 1, 1e-12);
  EXPECT_FALSE(clipped(unit, {-1, 2}, {3, 2}));
  EXPECT_FALSE(clipped(unit, {-1, 0.5}, {0.5, 2.5}));
  EXPECT_FALSE(clipped(unit, {0.5, 0.5}, {std::numeric_limits<double>::quiet_NaN(), 0.5}));
  EXPECT_FALSE(clipped(unit, {0.5, 0.5}, {std::numeric_limits<double>::infinity(), 0.5}));
}

TEST(Clip, AgreesWithPointsAlongTheSegment) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Place a{random.uniform(-1, 2), random.uniform(-1, 2)},
        b{random.uniform(-1, 2), random.uniform(-1, 2)};
    const auto part = clipped(unit, a, b);
    constexpr int steps = 1000;
    int inside = 0;
    for (int i = 0; i < steps; ++i) {
      const double t = (i + 0.5) / steps;
      inside += unit.holds({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
    const double whole = std::hypot(b.x - a.x, b.y - a.y);
    const double length =
        part ? std::hypot(part->second.x - part->first.x, part->second.y - part->first.y) : 0;
    EXPECT_NEAR(length, whole * inside / steps, 2 * whole / steps);
  }
}

TEST(Clip, CutsPolygons) {
  EXPECT_NEAR(area(clipped(unit, {{-1, -1}, {2, -1}, {2, 2}, {-1, 2}})), 1, 1e-12);
  EXPECT_NEAR(area(clipped(unit, {{0, 0}, {2, 0}, {0, 2}})), 1, 1e-12);
  // The tip: half of 1/3 times 1/2.
  EXPECT_NEAR(area(clipped(unit, {{0, -1}, {1, -1}, {0.5, 0.5}})), 1.0 / 12, 1e-12);
  EXPECT_TRUE(clipped(unit, std::vector<Place>{{2, 2}, {3, 2}, {3, 3}}).empty());
  EXPECT_TRUE(clipped(unit, std::vector<Place>{}).empty());
}

std::vector<double> evenly(double low, double high, std::size_t count) {
  std::vector<double> at;
  for (std::size_t i = 0; i < count; ++i) at.push_back(low + (high - low) * double(i) / double(count - 1));
  return at;
}

std::vector<double> table(const std::vector<double>& x, const std::vector<double>& y,
                          const std::function<double(double, double)>& f) {
  std::vector<double> values;
  for (const double b : y)
    for (const double a : x) values.push_back(f(a, b));
  return values;
}

TEST(Contour, ALinearFunctionHasOneStraightLine) {
  const auto x = evenly(0, 3, 7), y = evenly(0, 2, 5);
  const auto lines = contour_lines(x, y, table(x, y, [](double a, double b) { return a + b; }), 1.3);
  ASSERT_EQ(lines.size(), 1u);
  for (const Place& at : lines[0]) EXPECT_NEAR(at.x + at.y, 1.3, 1e-12);
  const double ends =
      std::hypot(lines[0].front().x - lines[0].back().x, lines[0].front().y - lines[0].back().y);
  EXPECT_NEAR(ends, 1.3 * std::numbers::sqrt2, 1e-12);  // from one axis to the other
}

TEST(Contour, ACircleIsOneClosedLine) {
  const auto x = evenly(-2, 2, 81), y = evenly(-2, 2, 61);
  const auto lines = contour_lines(x, y, table(x, y, [](double a, double b) { return a * a + b * b; }), 1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].front().x, lines[0].back().x);
  EXPECT_EQ(lines[0].front().y, lines[0].back().y);
  double length = 0;
  for (std::size_t i = 1; i < lines[0].size(); ++i)
    length += std::hypot(lines[0][i].x - lines[0][i - 1].x, lines[0][i].y - lines[0][i - 1].y);
  EXPECT_NEAR(length, 2 * std::numbers::pi, 0.01);
  for (const Place& at : lines[0]) EXPECT_NEAR(std::hypot(at.x, at.y), 1, 2e-3);
}

TEST(Contour, TwoHillsHaveTwoLines) {
  const auto x = evenly(-4, 4, 60), y = evenly(-2, 2, 40);
  const auto f = [](double a, double b) {
    return std::exp(-(a - 2) * (a - 2) - b * b) + std::exp(-(a + 2) * (a + 2) - b * b);
  };
  EXPECT_EQ(contour_lines(x, y, table(x, y, f), 0.5).size(), 2u);
  EXPECT_EQ(contour_lines(x, y, table(x, y, f), 0.03).size(), 1u);
  EXPECT_EQ(contour_lines(x, y, table(x, y, f), 2).size(), 0u);
}

TEST(Contour, ASaddleGoesTheWayOfItsMean) {
  const std::vector<double> side{0, 1};
  for (const double high : {1.0, 3.0}) {  // corners 0,0 and 1,1 high: with mean below or above 0
    const std::vector<double> values{high, -2, -2, high};
    const auto lines = contour_lines(side, side, values, 0);
    ASSERT_EQ(lines.size(), 2u);
    for (const auto& line : lines) {
      ASSERT_EQ(line.size(), 2u);
      const double cx = (line[0].x + line[1].x) / 2, cy = (line[0].y + line[1].y) / 2;
      // On the diagonal of the high corners: they are cut off.
      const bool near_high = std::abs(cx - cy) < 1e-9;
      EXPECT_EQ(near_high, high < 2);
    }
  }
}

TEST(Contour, HolesAndSmallGridsHaveNoLine) {
  const std::vector<double> one{0}, two{0, 1}, none{};
  EXPECT_TRUE(contour_lines(none, none, none, 0).empty());
  EXPECT_TRUE(contour_lines(one, two, std::vector<double>{-1, 1}, 0).empty());
  const std::vector<double> hole{-1, 1, std::numeric_limits<double>::quiet_NaN(), 1};
  EXPECT_TRUE(contour_lines(two, two, hole, 0).empty());
}

}  // namespace
}  // namespace mercer
