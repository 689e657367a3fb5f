#include "plot/clip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

}  // namespace
}  // namespace mercer
