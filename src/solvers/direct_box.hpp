// The box problem of solvers/box_qp.hpp solved directly, K held whole in float64: for small problems on which
// SMO makes no headway, because columns of very different ranges or a huge C make K badly conditioned.
//
// An interior-point method (solvers/box_interior.hpp), whose number of steps hardly depends on the condition
// of K, finds which variables are at a bound; an active-set method (solvers/box_active_set.hpp) then solves
// for the others exactly.
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

}  // namespace mercer
