#include "solvers/kernel_coordinates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "random_points.hpp"

namespace mercer {
namespace {

TEST(WeightedSlope, IsTheSumOfDerivatives) {
  for (const std::size_t n : {1u, 5u, 128u, 200u}) {
    const Points points = as_points(random_rows(n, 3, 4));
    const KernelCoordinates coordinates(Kernel::parse("rbf(gamma=0.6)"));
    const auto weight = [](std::size_t i, std::size_t j) { return std::cos(double(i * j)) + double(i == j); };
    double expected = 0;  // ∂/∂log γ e^(−γd²) = −γd²e^(−γd²)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double d2 = 0;
        for (std::size_t c = 0; c < 3; ++c) d2 += std::pow(points.row(i)[c] - points.row(j)[c], 2);
        expected -= weight(i, j) * 0.6 * d2 * std::exp(-0.6 * d2);
      }
    const WeightRow rows = [&](std::size_t i, Range columns, std::span<double> out) {
      for (std::size_t j = columns.begin; j < columns.end; ++j) out[j - columns.begin] = weight(i, j);
    };
    const KernelDifference difference(coordinates, coordinates.start(), 0);
    for (const int threads : {1, 3})
      EXPECT_NEAR(weighted_slope(difference, points, rows, threads, {}), expected,
                  1e-8 * (1 + std::abs(expected)));
  }
}

TEST(KernelDifference, StaysWhereTheKernelAllowsIt) {
  const KernelCoordinates coordinates(Kernel::parse("poly(degree=2, scale=1, offset=0)"));
  std::size_t offset = 0;
  while (coordinates.parameters()[offset].name != "offset") ++offset;
  const KernelDifference difference(coordinates, coordinates.start(), offset);
  EXPECT_EQ(numeric_parameters(difference.below)[offset].value, 0);
  EXPECT_NEAR(numeric_parameters(difference.above)[offset].value, difference.width, 1e-20);
}

}  // namespace
}  // namespace mercer
