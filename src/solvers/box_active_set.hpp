// The active-set method for the box problem: variables are at their lower bound, at their upper bound, or
// free. Each step solves for the free ones exactly, as far as the bounds allow; one that reaches a bound
// stays there, and where none does the pair that violates the optimality conditions most becomes free. From a
// good guess a few steps end at a solution whose violation is that of rounding alone, which neither SMO nor
// an interior-point method can promise.
#pragma once

#include <span>

#include "mercer/progress.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

struct ActiveSetResult {
  std::vector<double> beta;
  std::size_t steps = 0;
  bool feasible = false;  ///< the sums are the ones to keep
};

/// From `beta`, within the bounds, with sums that may be off by rounding; the ones of `problem.start` are
/// kept. `system_K`: the K to solve with, which may be centred; `K`: the one that counts. Ends at a violation
/// of `tolerance`, or where rounding allows no less: the best β on the way. `progress` is told before every
/// step.
ActiveSetResult active_set(const BoxQp& problem, std::span<const double> K, std::span<const double> system_K,
                           std::size_t points, std::vector<double> beta, double tolerance,
                           const Progress& progress);

}  // namespace mercer
