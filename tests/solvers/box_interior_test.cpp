#include "solvers/box_interior.hpp"

#include <gtest/gtest.h>

#include "solvers/box_problems.hpp"
#include "solvers/box_system.hpp"

namespace mercer {
namespace {

// β within its bounds, the sum kept, and the gap between primal and dual closed: Σ (β − l)z + (u − β)w.
TEST(BoxInterior, ClosesTheGap) {
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 4 + random.below(20);
    Matrix64 K(n, std::vector<double>(n));
    std::vector<double> x, y, flat;
    for (std::size_t i = 0; i < n; ++i) x.push_back(random.normal()), y.push_back(i % 2 ? 1 : -1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) flat.push_back(K[i][j] = std::exp(-(x[i] - x[j]) * (x[i] - x[j])));
    const BoxQp problem = c_svc(y, std::vector<double>(n, 2));
    HeldBoxSystem system(problem, flat, n);
    const auto inner = interior_point(problem, system, rounding_shift(flat, n));
    ASSERT_TRUE(inner);
    double gap = 0, sum = 0;
    for (std::size_t v = 0; v < n; ++v) {
      EXPECT_GE(inner->beta[v], problem.lower[v]);
      EXPECT_LE(inner->beta[v], problem.upper[v]);
      gap += (inner->beta[v] - problem.lower[v]) * inner->above[v] +
             (problem.upper[v] - inner->beta[v]) * inner->below[v];
      sum += inner->beta[v];
    }
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_LE(gap, 1e-9);
    EXPECT_NEAR(objective(problem, K, inner->beta), objective(problem, K, reference_solution(problem, K)),
                1e-8);
  }
}

TEST(BoxInterior, LeavesVariablesWithoutRoomWhereTheyAre) {
  const std::vector<double> K{2, 0, 0, 0, 2, 0, 0, 0, 2};
  BoxQp problem = c_svc({1, -1, 1}, {1, 1, 0});
  HeldBoxSystem system(problem, K, 3);
  const auto inner = interior_point(problem, system, rounding_shift(K, 3));
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->beta[2], 0);
  EXPECT_NEAR(inner->beta[0], 0.5, 1e-9);
}

TEST(BoxInterior, CanBeStopped) {
  const std::vector<double> K{1, 0, 0, 1};
  const BoxQp problem = c_svc({1, -1}, {1, 1});
  HeldBoxSystem system(problem, K, 2);
  EXPECT_THROW(interior_point(problem, system, 1e-15, [](const InteriorPoint&) -> bool { throw 1; }), int);
}

}  // namespace
}  // namespace mercer
