// The box problem of solvers/box_qp.hpp solved directly, K held whole in float64: for small problems on which
// SMO makes no headway, because columns of very different ranges or a huge C make K badly conditioned.
//
// An interior-point method (solvers/box_interior.hpp), whose number of steps hardly depends on the condition
// of K, finds which variables are at a bound; an active-set method then solves for the others exactly.
#pragma once

#include <optional>
#include <span>

#include "mercer/progress.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

struct DirectSolution {
  std::vector<double> beta;  ///< one per variable
  std::vector<double> f;     ///< Kβ, per point of the problem; 0 at points that no variable stands for
  Certificate certificate;   ///< from f
  std::size_t steps = 0;     ///< systems solved
};

/// `K`: points × points, row-major, of the `points` that the problem's variables stand for, which they index.
/// `progress` is told before every step. None where K is not positive semidefinite to rounding.
std::optional<DirectSolution> solve_directly(const BoxQp& problem, std::span<const double> K,
                                             std::size_t points, double tolerance, const Progress& progress);

/// The active-set method for the box problem: variables are at their lower bound, at their upper bound, or
/// free. Each step solves for the free ones exactly, as far as the bounds allow; one that reaches a bound
/// stays there, and where none does the pair that violates the optimality conditions most becomes free. From
/// a good guess a few steps end at a solution whose violation is that of rounding alone, which neither SMO
/// nor an interior-point method can promise.
struct ActiveSetResult {
  std::vector<double> beta;
  std::size_t steps = 0;
  bool feasible = false;  ///< the sums are the ones to keep
};

/// From `beta`, within the bounds, with sums that may be off by rounding; the ones of `problem.start` are
/// kept. `system_K`: the K to solve with, which may be centred; `K`: the one that counts. Ends at a violation
/// of `tolerance`, or of rounding: the best β on the way. `progress` is told before every step.
ActiveSetResult active_set(const BoxQp& problem, std::span<const double> K, std::span<const double> system_K,
                           std::size_t points, std::vector<double> beta, double tolerance,
                           const Progress& progress);

}  // namespace mercer
