#include "solvers/refinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

/// K diagonal, and an inverse that is right to a few digits, or not at all.
struct DiagonalInverse : Inverse {
  std::vector<double> values;
  bool prepare(std::span<const double>, double) override { return true; }
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override {
    for (std::size_t e = 0; e < V.size(); ++e) out[e] = V[e] * values[e / k];
  }
  std::string words() const override { return "a diagonal"; }
};

struct RefinementExample {
  std::size_t n = 40, k = 2;
  std::vector<double> K, s, R, X;
  DiagonalInverse inverse;
  BlockOperator exact = [this](std::span<const double> V, std::size_t columns, std::span<double> out) {
    for (std::size_t e = 0; e < V.size(); ++e) out[e] = K[e / columns] * V[e];
  };
  Progress progress;

  RefinementExample() : X(n * k) {
    Random random(1);
    for (std::size_t i = 0; i < n; ++i) K.push_back(std::exp(random.normal())), s.push_back(random.uniform());
    for (std::size_t e = 0; e < n * k; ++e) R.push_back(random.normal());
    for (std::size_t i = 0; i < n; ++i) inverse.values.push_back((1 + 1e-3 * random.normal()) / diagonal(i));
  }
  double diagonal(std::size_t i) const { return s[i] * K[i] * s[i] + 0.5; }
  LinearSystem system(double tolerance) const { return {s, 0.5, R, k, tolerance}; }
  void expect_solution(double tolerance) const {
    for (std::size_t e = 0; e < X.size(); ++e) EXPECT_NEAR(X[e], R[e] / diagonal(e / k), tolerance);
  }
  /// K with a relative error in every number.
  BlockOperator rounded(double error) const {
    return [this, error](std::span<const double> V, std::size_t columns, std::span<double> out) {
      for (std::size_t e = 0; e < V.size(); ++e)
        out[e] = K[e / columns] * (1 + (e / columns % 2 == 0 ? error : -error)) * V[e];
    };
  }
};

TEST(Refinement, ReachesTheToleranceThroughAnInexactK) {
  RefinementExample example;
  Refinement refinement(example.system(1e-13), example.exact, example.X, false, example.progress);
  EXPECT_EQ(refinement.residual(), 1);
  double rounding = 0;
  const BlockOperator K = example.rounded(1e-4);
  EXPECT_EQ(refinement.run(K, example.inverse, rounding, 100), Refinement::Outcome::converged);
  EXPECT_LE(refinement.residual(), 1e-13);
  EXPECT_GT(refinement.iterations(), 1u);
  EXPECT_GT(rounding, 0);
  example.expect_solution(1e-12);
}

TEST(Refinement, SaysWhereItStallsOrIsExhausted) {
  RefinementExample example;
  Refinement refinement(example.system(1e-13), example.exact, example.X, false, example.progress);
  double rounding = 0;
  EXPECT_EQ(refinement.run(example.exact, example.inverse, rounding, 1), Refinement::Outcome::exhausted);
  const double before = refinement.residual();
  const BlockOperator far = example.rounded(-0.99);  // hardly anything of K: X must not become worse
  EXPECT_EQ(refinement.run(far, example.inverse, rounding, 100), Refinement::Outcome::stalled);
  EXPECT_EQ(refinement.residual(), before);
  const Refinement again(example.system(1e-13), example.exact, example.X, true, example.progress);
  EXPECT_EQ(again.residual(), before);
}

TEST(Refinement, StartsFromAGuessAndStopsOnRequest) {
  RefinementExample example;
  for (std::size_t e = 0; e < example.X.size(); ++e)
    example.X[e] = example.R[e] / example.diagonal(e / 2) * (1 + 1e-6);
  Refinement refinement(example.system(1e-5), example.exact, example.X, true, example.progress);
  EXPECT_TRUE(refinement.converged());
  EXPECT_NEAR(refinement.residual(), 1e-6, 1e-8);
  example.progress = [](std::string_view, double) { return false; };
  Refinement stopped(example.system(1e-12), example.exact, example.X, false, example.progress);
  double rounding = 0;
  EXPECT_EQ(stopped.run(example.exact, example.inverse, rounding, 100), Refinement::Outcome::stopped);
  EXPECT_EQ(stopped.iterations(), 1u);
}

TEST(Refinement, SolvesDirectly) {
  RefinementExample example;
  Refinement refinement(example.system(1e-8), example.exact, example.X, false, example.progress);
  refinement.solve_directly(example.inverse);
  EXPECT_TRUE(refinement.converged());
  example.expect_solution(1e-7);
}

TEST(Refinement, ColumnsOfZerosAreSolved) {
  RefinementExample example;
  for (std::size_t e = 0; e < example.R.size(); e += 2) example.R[e] = 0;
  Refinement refinement(example.system(1e-12), example.exact, example.X, false, example.progress);
  double rounding = 0;
  EXPECT_EQ(refinement.run(example.exact, example.inverse, rounding, 100), Refinement::Outcome::converged);
  example.expect_solution(1e-11);
}

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
  const auto stopped = solve({.each_step = [](std::span<const double> norms) { return norms[0] > 1; }});
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
