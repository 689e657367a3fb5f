// The linear machine whose weights are mostly 0 (LIBLINEAR's -s 5):
//
//   min over w of   ‖w‖₁ + Σᵢ Cᵢ max(0, 1 − yᵢ wᵀxᵢ)²
//
// Coordinate descent: a weight at a time goes along the Newton direction of its own problem, whose kink at 0
// is exact, as far as the objective falls (Chang, Hsieh & Lin 2008; Yuan, Chang, Hsieh & Lin 2010, 4.1). A
// step costs a column of X. Weights that stay at 0 are left out until everything is measured again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mercer/points.hpp"
#include "mercer/progress.hpp"

namespace mercer {

struct L1Problem {
  const Points& points;       // n × d
  std::span<const double> y;  // n, ±1
  std::span<const double> C;  // n, > 0
  double constant = 0;        ///< one more column, the same for all rows; 0: none
};

struct L1Options {
  /// Of the sum of |violations| over the weights, in units of that at w = 0.
  double tolerance = 1e-4;
  std::size_t max_passes = 1000;
  std::uint64_t seed = 1;  ///< of the order in which weights are visited
  Progress progress = {};  ///< false ends the descent with what there is
};

struct L1Solution {
  std::vector<double> w;  ///< d, with a constant that of its column last
  std::vector<double> f;  ///< Xw, n, with the constant's part
  double objective = 0;
  double violation = 0;  ///< in the unit of the tolerance
  std::size_t passes = 0;
  bool converged = false, stopped = false;
};

L1Solution solve_l1_squared_hinge(const L1Problem& problem, const L1Options& options = {});

}  // namespace mercer
