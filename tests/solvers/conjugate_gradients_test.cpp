#include "solvers/conjugate_gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

/// A diagonal A and preconditioner, and right-hand sides.
struct Diagonal {
  std::vector<double> a, m, R;
  std::size_t k;

  Diagonal(std::size_t n, std::size_t columns, std::uint64_t seed) : k(columns) {
    Random random(seed);
    for (std::size_t i = 0; i < n; ++i) a.push_back(std::exp(random.normal())), m.push_back(1);
    for (std::size_t e = 0; e < n * k; ++e) R.push_back(random.normal());
  }
  static BlockOperator times(const std::vector<double>& d) {
    return [&d](std::span<const double> V, std::size_t columns, std::span<double> out) {
      for (std::size_t e = 0; e < V.size(); ++e) out[e] = d[e / columns] * V[e];
    };
  }
};

TEST(ConjugateGradients, SolveAllColumns) {
  for (const std::size_t n : {1u, 2u, 57u})
    for (const std::size_t k : {1u, 4u}) {
      Diagonal d(n, k, n + k);
      std::vector<double> residual = d.R, Z(n * k, 3.0);
      for (std::size_t i = 0; i < n && k > 1; ++i) residual[i * k] = 0;  // one column has nothing to do
      const auto result = conjugate_gradients(Diagonal::times(d.a), Diagonal::times(d.m), residual, k, Z,
                                              {.goals = std::vector(k, 1e-11)});
      EXPECT_TRUE(result.converged);
      EXPECT_LE(result.iterations, 2 * n + 1);
      for (std::size_t e = 0; e < n * k; ++e) {
        const double expected = k > 1 && e % k == 0 ? 0 : d.R[e] / d.a[e / k];
        EXPECT_NEAR(Z[e], expected, 1e-9);
      }
    }
}

TEST(ConjugateGradients, NeedOneStepWithTheInverse) {
  Diagonal d(80, 2, 1);
  for (std::size_t i = 0; i < d.m.size(); ++i) d.m[i] = 1 / d.a[i];
  std::vector<double> Z(160);
  EXPECT_EQ(
      conjugate_gradients(Diagonal::times(d.a), Diagonal::times(d.m), d.R, 2, Z, {.goals = {1e-10, 1e-10}})
          .iterations,
      1u);
}

TEST(ConjugateGradients, StopAtTheFloorTheLimitOrOnRequest) {
  const auto solve = [](GradientOptions options) {
    Diagonal d(80, 1, 1);
    std::vector<double> Z(80);
    options.goals = {1e-10};
    return conjugate_gradients(Diagonal::times(d.a), Diagonal::times(d.m), d.R, 1, Z, options);
  };
  const auto whole = solve({}), floor = solve({.floor = 1e-3}), few = solve({.most = 3});
  EXPECT_TRUE(floor.converged);
  EXPECT_LT(floor.iterations, whole.iterations);
  EXPECT_FALSE(few.converged);
  EXPECT_EQ(few.iterations, 3u);
  const auto stopped = solve({.go_on = [](std::span<const double> norms) { return norms[0] > 1; }});
  EXPECT_TRUE(stopped.stopped);
  EXPECT_FALSE(stopped.converged);
}

TEST(ConjugateGradients, EndWhereTheMatrixIsNotPositive) {
  Diagonal d(5, 1, 1);
  std::ranges::fill(d.a, -1.0);
  std::vector<double> Z(5);
  const auto result =
      conjugate_gradients(Diagonal::times(d.a), Diagonal::times(d.m), d.R, 1, Z, {.goals = {1e-10}});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(Z, std::vector<double>(5, 0.0));
}

}  // namespace
}  // namespace mercer
