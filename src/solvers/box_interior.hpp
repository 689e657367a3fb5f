// Mehrotra's predictor-corrector method (SIAM J. Optimization 2, 1992) for the box problem. With slacks a = β
// − l, b = u − β and multipliers z, w > 0 the conditions are
//   Kβ + s − Aᵀρ − z + w = 0,   Aβ = t,   a·z = μ,   b·w = μ,   and μ → 0.
// Each step solves (K + z/a + w/b) Δβ − AᵀΔρ = … twice with one factor. The number of steps is a few dozen
// whatever K is.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solvers/box_system.hpp"

namespace mercer {

struct InteriorPoint {
  std::vector<double> beta;          ///< strictly inside, but for variables whose bounds are equal
  std::vector<double> above, below;  ///< z and w: what holds β off its lower and its upper bound
  std::size_t steps = 0;
};

/// `shift` is added to the diagonal of K (rounding_shift of solvers/box_system.hpp). Ends where rounding
/// keeps it from going on, or where go_on(the best point so far), asked before every step, is false. None
/// where K + D is not positive definite.
std::optional<InteriorPoint> interior_point(const BoxQp& problem, BoxSystem& system, double shift,
                                            const std::function<bool(const InteriorPoint&)>& go_on = {});

}  // namespace mercer
