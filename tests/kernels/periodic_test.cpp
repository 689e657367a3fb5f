#include "mercer/kernels/periodic.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mercer {
namespace {

TEST(Periodic, WindsEachCoordinateAroundACircle) {
  const Periodic kernel{.period = 4, .length = 1};
  const std::vector<double> circles = kernel.map(std::vector<double>{1, -2});
  ASSERT_EQ(circles.size(), 4u);
  EXPECT_NEAR(circles[0], 0, 1e-15);  // a quarter turn
  EXPECT_NEAR(circles[1], 1, 1e-15);
  EXPECT_NEAR(circles[2], -1, 1e-15);  // half a turn back
  EXPECT_NEAR(circles[3], 0, 1e-15);
}

TEST(Periodic, IsTheSameAfterManyPeriods) {
  const Periodic kernel{.period = 0.5, .length = 1};
  const auto near = kernel.map(std::vector<double>{0.125}),
             far = kernel.map(std::vector<double>{0.125 + 0.5 * (1 << 30)});
  EXPECT_NEAR(near[0], far[0], 1e-15);
  EXPECT_NEAR(near[1], far[1], 1e-15);
}

TEST(Periodic, HasChordsForDistances) {  // ‖u(x) − u(z)‖² = 4 sin²(π(x − z)/p)
  const Periodic kernel{.period = 1.7, .length = 1};
  const auto u = kernel.map(std::vector<double>{0.3}), v = kernel.map(std::vector<double>{2.2});
  EXPECT_NEAR(std::pow(u[0] - v[0], 2) + std::pow(u[1] - v[1], 2),
              4 * std::pow(std::sin(3.14159265358979323846 * 1.9 / 1.7), 2), 1e-14);
}

}  // namespace
}  // namespace mercer
