// The box problem with the linear kernel k(x, z) = xᵀz, where w = Xᵀβ says all that Kβ does:
//
//   min ½‖Σ_v β_v x_i(v)‖² + sᵀβ    subject to   l ≤ β ≤ u   and, with a bias, Σβ fixed
//
// Without the bias this is LIBLINEAR's problem (-s 3 for C-SVC, -s 13 for ε-SVR; with D = 1/(2C) and no upper
// bounds, of squared losses, -s 1 and -s 12); with it, it is the problem that the kernel machines solve, the
// bias being free of any penalty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mercer/points.hpp"
#include "mercer/progress.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

struct LinearOptions {
  double tolerance = 1e-3;  ///< of the violation, measured over all variables
  bool bias = true;         ///< keep Σβ; otherwise ρ is 0
  /// Without a bias: one more column, the same for all rows; 0: none. Its weight is penalised as the others.
  double constant = 0;
  /// Without a bias: D of a term ½Σ D_v β_v² in the objective, one for each variable, or none. Variables of a
  /// point that lie on either side of 0 must have the same.
  std::span<const double> diagonal = {};
  std::uint64_t seed = 1;  ///< of the order in which variables are visited
  std::size_t max_passes = 10000;
  std::size_t max_visits = std::numeric_limits<std::size_t>::max();  ///< of variables, about: a pass is ended
  Progress progress = {};  ///< false ends the descent with what there is
};

struct LinearSolution {
  std::vector<double> beta;
  std::vector<double> weights;  ///< w = Xᵀβ, summed afresh from β; with a constant that of its column last
  std::vector<double> f;        ///< Xw, per point, with the constant's part
  double rho = 0;               ///< ρ; the decision function is wᵀx − ρ
  /// With a bias as in box_problem.hpp; without, the largest magnitude of a projected gradient.
  double violation = 0;
  std::size_t passes = 0;
  std::size_t visits = 0;  ///< of variables, in all passes
  bool converged = false;
  bool stopped = false;  ///< by progress
};

/// One group only. `problem.start` is where the descent begins. The same bits on every run. Throws
/// Error{data} where ‖x‖² overflows.
LinearSolution solve_linear(const BoxQp& problem, const Points& points, const LinearOptions& options = {});

}  // namespace mercer
