// Any smooth regularised risk over the functions of a kernel (representer theorem; Kimeldorf & Wahba 1971):
//
//   min over A (n × k), b (k) of   Σᵢ vᵢ L(yᵢ, fᵢ) + λ tr AᵀKA,     f = KA + 1bᵀ,   Σ v = 1
//
// The gradient in the space of the kernel is Σᵢ rᵢ k(xᵢ, ·) with r = v∘L′ + 2λA, and b's is Σᵢ vᵢL′ᵢ; at the
// minimum both are 0. Newton's method: with W the second derivative of the loss (n blocks, k × k) the step
// (D, d) solves
//   (2λ + WK) D = −r − W 1dᵀ,    d = κ Σᵢ (A + D)ᵢ   where b is free:
// the change of b has a penalty λ|d|²/κ of its own, which is 0 at the end; so that it does not hold b back
// until then, b alone is fitted again after each step. With K̃ = K + κ11ᵀ that is one system,
//   (2λ + WK̃) D = −r − W 1(κΣA)ᵀ,
// symmetric after W = BBᵀ:
//   D = (I − B (2λ + BᵀK̃B)⁻¹ BᵀK̃)(right-hand side)/2λ
// (Rasmussen & Williams 2006, alg. 3.1, for steps). It is that of solvers/kernel_system.hpp. Where a step
// does not lower the risk enough, the curvature is raised (Levenberg 1944), as flat losses (Huber's) need.
#pragma once

#include "mercer/loss.hpp"
#include "solvers/kernel_system.hpp"

namespace mercer {

struct RiskProblem {
  const Loss& loss;
  std::span<const double> y;  // n
  std::span<const double> v;  // n, positive, Σ = 1
  double lambda;              // > 0
  std::size_t outputs = 1;    // k
  double constant = 0;        // κ: what the system's kernel has beside K, so that b is free; 0: b is 0
};

struct RiskOptions {
  double tolerance = 1e-6;  ///< of the norm of the gradient
  std::size_t most_steps = 200;
  double unit = 1;         ///< of the gradient as it is told
  Progress progress = {};  ///< told the norm of the gradient; false ends the work with what there is
};

struct RiskSolution {
  std::vector<double> A;      // n × k
  std::vector<double> b;      // k
  std::vector<double> f;      // n × k, KA + 1bᵀ in float64
  double risk = 0, loss = 0;  // with and without the regulariser
  double norm = 0;            // tr AᵀKA
  double gradient = 0;        // the norm in the space of the kernel, with that of b, computed in float64
  std::size_t steps = 0;
  bool converged = false;
};

/// b, k numbers, becomes the best constant beside f (n × k), by Newton's method on b alone.
void fit_constant(const RiskProblem& problem, std::span<const double> f, std::vector<double>& b);

RiskSolution minimise_risk(KernelSystem& system, const RiskProblem& problem, const RiskOptions& options);

/// Gradient descent, to compare with: A ← A − rate·r, b ← b − rate·Σ v L′, the rate halved or let grow.
RiskSolution descend_risk(KernelSystem& system, const RiskProblem& problem, const RiskOptions& options);

}  // namespace mercer
