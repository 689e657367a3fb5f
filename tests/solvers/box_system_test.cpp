#include "solvers/box_system.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

// Points with two variables and points with one, in two groups; every equation of the system is looked at.
TEST(BoxSystem, SolvesItsEquations) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const std::size_t points = 2 + random.below(6), variables = points + random.below(points);
    std::vector<std::vector<double>> phi(points, std::vector<double>(3));
    for (auto& row : phi)
      for (double& value : row) value = random.normal();
    std::vector<double> K;
    for (const auto& a : phi)
      for (const auto& b : phi) K.push_back(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
    BoxQp problem;
    std::vector<std::size_t> all;
    std::vector<double> D, r;
    for (std::size_t v = 0; v < variables; ++v) {
      problem.add(v % points, 0, 0, 1);
      problem.groups.push_back(v < 2 ? std::uint8_t(v) : std::uint8_t(random.below(2)));
      all.push_back(v);
      D.push_back(std::pow(10, random.uniform(-4, 3)));
      r.push_back(random.normal());
    }
    HeldBoxSystem system(problem, K, points);
    ASSERT_TRUE(system.factor(all, D));
    const double t[2] = {random.normal(), random.normal()};
    const BoxSystem::Solution solution = system.solve(r, t);
    double sums[2] = {};
    for (std::size_t v = 0; v < variables; ++v) {
      double left = D[v] * solution.x[v] - solution.rho[problem.group(v)] - r[v];
      for (std::size_t w = 0; w < variables; ++w) left += K[v % points * points + w % points] * solution.x[w];
      EXPECT_NEAR(left, 0, 1e-7);
      sums[problem.group(v)] += solution.x[v];
    }
    EXPECT_NEAR(sums[0], t[0], 1e-8);
    EXPECT_NEAR(sums[1], t[1], 1e-8);
  }
}

TEST(BoxSystem, RefusesAMatrixThatIsNotPositiveDefinite) {
  BoxQp problem;
  problem.add(0, 0, 0, 1);
  problem.add(1, 0, 0, 1);
  const std::vector<double> K{1, 3, 3, 1}, D{0.1, 0.1};
  const std::vector<std::size_t> all{0, 1};
  EXPECT_FALSE(HeldBoxSystem(problem, K, 2).factor(all, D));
}

TEST(BoxSystem, CentringKeepsWhatZeroSumsSee) {
  const std::vector<double> K{4, 6, 10, 6, 9, 15, 10, 15, 25}, beta{1, 2, -3};  // of 2, 3 and 5
  const Buffer<double> moved = centred(K, 3);
  double before = 0, after = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    // The variance of 2, 3, 5, n times / n.
    EXPECT_NEAR(moved[3 * i] + moved[3 * i + 1] + moved[3 * i + 2], 38.0 / 3 - 100.0 / 9, 1e-12);
    for (std::size_t j = 0; j < 3; ++j)
      before += beta[i] * K[3 * i + j] * beta[j], after += beta[i] * moved[3 * i + j] * beta[j];
  }
  EXPECT_NEAR(after, before, 1e-12);
}

TEST(BoxSystem, TheShiftIsAboveRoundingOfK) {
  const std::vector<double> K{1e8, 1e8, 1e8, 1e8};
  EXPECT_GT(rounding_shift(K, 2), 1e-8);
  EXPECT_LT(rounding_shift(K, 2), 1e-6);
  EXPECT_GT(rounding_shift(std::vector<double>{0}, 1), 0);
}

}  // namespace
}  // namespace mercer
