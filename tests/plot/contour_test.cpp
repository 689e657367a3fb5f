#include "plot/contour.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace mercer {
namespace {

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
