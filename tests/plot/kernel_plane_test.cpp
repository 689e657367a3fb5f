#include "plot/kernel_plane.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

TEST(KernelPlane, OfTheLinearKernelIsThatOfTheLargestVariance) {
  // Variances 8, 2 and 0 along the axes, by hand.
  const Points points({{4, 0, 1}, {-4, 0, 1}, {0, 2, 1}, {0, -2, 1}});
  const KernelPlane plane = kernel_plane(Kernel::parse("linear"), points);
  const auto at = plane.of_points(points, 1);
  EXPECT_NEAR(std::abs(at.x[0]), 4, 1e-6);
  EXPECT_NEAR(at.x[0] + at.x[1], 0, 1e-6);
  EXPECT_NEAR(at.x[2], 0, 1e-6);
  EXPECT_NEAR(std::abs(at.y[2]), 2, 1e-6);
  EXPECT_EQ(plane.label(1), "component 1 (80.0 % of the variance)");
  EXPECT_EQ(plane.label(2), "component 2 (20.0 % of the variance)");
}

TEST(KernelPlane, RowsInALineHaveOneComponent) {
  const Points points({{0, 0}, {1, 1}, {2, 2}, {4, 4}});
  const KernelPlane plane = kernel_plane(Kernel::parse("linear"), points);
  const auto at = plane.of_points(points, 1);
  EXPECT_EQ(at.y, std::vector<double>(4, 0));
  EXPECT_EQ(plane.label(1), "component 1 (100.0 % of the variance)");
  EXPECT_EQ(plane.label(2), "component 2 (0.0 % of the variance)");
  EXPECT_EQ(kernel_plane(Kernel::parse("rbf(gamma=1)"), Points({{0, 0}, {1, 1}})).of_points(points, 1).y,
            std::vector<double>(4, 0));
}

TEST(KernelPlane, RefusesTooFewRowsAndRowsThatAreTheSame) {
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      kernel_plane(kernel, Points(std::vector<std::vector<double>>{{1, 2}}));
                    }),
            "components need at least two rows, and there is 1");
  EXPECT_NE(refusal(ErrorKind::data,
                    [&] {
                      kernel_plane(kernel, Points({{1, 2}, {1, 2}, {1, 2}}));
                    })
                .find("span only 0 dimensions"),
            std::string::npos);
}

TEST(KernelPlane, TakesASampleOfManyRows) {
  const KernelPlane plane =
      kernel_plane(Kernel::parse("rbf(gamma=1)"), generate("moons", {.n = 2100}).points);
  EXPECT_EQ(plane.rows, 2000u);
  EXPECT_EQ(plane.of, 2100u);
}

}  // namespace
}  // namespace mercer
