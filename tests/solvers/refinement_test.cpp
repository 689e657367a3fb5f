#include "solvers/refinement.hpp"

#include <gtest/gtest.h>

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
  std::function<bool(double)> go_on;

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
  Refinement refinement(example.system(1e-13), example.exact, example.X, false, example.go_on);
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
  Refinement refinement(example.system(1e-13), example.exact, example.X, false, example.go_on);
  double rounding = 0;
  EXPECT_EQ(refinement.run(example.exact, example.inverse, rounding, 1), Refinement::Outcome::exhausted);
  const double before = refinement.residual();
  const BlockOperator far = example.rounded(-0.99);  // hardly anything of K: X must not become worse
  EXPECT_EQ(refinement.run(far, example.inverse, rounding, 100), Refinement::Outcome::stalled);
  EXPECT_EQ(refinement.residual(), before);
  const Refinement again(example.system(1e-13), example.exact, example.X, true, example.go_on);
  EXPECT_EQ(again.residual(), before);
}

TEST(Refinement, StartsFromAGuessAndStopsOnRequest) {
  RefinementExample example;
  for (std::size_t e = 0; e < example.X.size(); ++e)
    example.X[e] = example.R[e] / example.diagonal(e / 2) * (1 + 1e-6);
  Refinement refinement(example.system(1e-5), example.exact, example.X, true, example.go_on);
  EXPECT_TRUE(refinement.converged());
  EXPECT_NEAR(refinement.residual(), 1e-6, 1e-8);
  example.go_on = [](double) { return false; };
  Refinement stopped(example.system(1e-12), example.exact, example.X, false, example.go_on);
  double rounding = 0;
  EXPECT_EQ(stopped.run(example.exact, example.inverse, rounding, 100), Refinement::Outcome::stopped);
  EXPECT_EQ(stopped.iterations(), 1u);
}

TEST(Refinement, SolvesDirectly) {
  RefinementExample example;
  Refinement refinement(example.system(1e-8), example.exact, example.X, false, example.go_on);
  refinement.solve_directly(example.inverse);
  EXPECT_TRUE(refinement.converged());
  example.expect_solution(1e-7);
}

TEST(Refinement, ColumnsOfZerosAreSolved) {
  RefinementExample example;
  for (std::size_t e = 0; e < example.R.size(); e += 2) example.R[e] = 0;
  Refinement refinement(example.system(1e-12), example.exact, example.X, false, example.go_on);
  double rounding = 0;
  EXPECT_EQ(refinement.run(example.exact, example.inverse, rounding, 100), Refinement::Outcome::converged);
  example.expect_solution(1e-11);
}

}  // namespace
}  // namespace mercer
