#include "solvers/degrees_of_freedom.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {
namespace {

Points some_points(std::size_t n) {
  Random random(n);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back({random.normal(), random.normal()});
  return Points(rows);
}

TEST(DegreesOfFreedom, AreThoseOfThePath) {
  for (const std::size_t n : {1u, 2u, 13u, 40u})
    for (const bool bias : {false, true}) {
      const Points points = some_points(n);
      const Kernel kernel = Kernel::parse("rbf(gamma=1)");
      std::vector<double> s(n), y(n, 1.0);
      Random random(2);
      for (double& root : s) root = random.uniform(0.5, 2);
      const KernelOperator<double> K(kernel, points);
      const RidgePath path(K, s, y, 1, bias, {.smallest = 1e-6});
      for (const double c : {1e-3, 0.5, 20.0})
        EXPECT_NEAR(*degrees_of_freedom(kernel, points, s, c, bias, 1), path.at(c).degrees_of_freedom,
                    1e-8 * double(n))
            << n;
    }
}

// Of the linear kernel of one column: Σx²/(Σx² + c).
TEST(DegreesOfFreedom, OfOneColumnAreAShare) {
  const Points points(std::vector<std::vector<double>>{{1}, {2}, {3}});
  const std::vector<double> ones(3, 1.0);
  EXPECT_NEAR(*degrees_of_freedom(Kernel::parse("linear"), points, ones, 2, false, 1), 14.0 / 16, 1e-14);
}

TEST(DegreesOfFreedom, AreNotAskedForWhereTheyCostMoreThanTheFit) {
  const std::vector<double> ones(1501, 1.0);
  EXPECT_FALSE(degrees_of_freedom(Kernel::parse("linear"), some_points(1501), ones, 1, false, 1));
  EXPECT_FALSE(
      degrees_of_freedom(Kernel::parse("linear"), some_points(3), std::vector<double>(3, 1.0), 0, false, 1));
}

}  // namespace
}  // namespace mercer
