// Least squares over features by passes over the rows (solvers/feature_system.hpp): the problem of
// solvers/normal_equations.hpp without its p × p matrix, for one penalty c > 0.
#pragma once

#include "solvers/feature_system.hpp"
#include "solvers/normal_equations.hpp"

namespace mercer {

struct StreamedLeastSquares {
  NormalEquations::Solution solution;  ///< degrees of freedom are not known
  std::size_t iterations = 0, passes = 0;
  std::size_t sampled = 0;  ///< rows that the preconditioner is of
  bool converged = false;
};

/// v: n positive weights; Y: n × outputs. `making` is told of what has to be done, `solving` may end the
/// steps.
StreamedLeastSquares stream_least_squares(const RowFeatures& features, std::span<const double> v,
                                          std::span<const double> Y, std::size_t outputs, bool bias, double c,
                                          double tolerance, const FeatureSystemOptions& options,
                                          const Progress& making, const Progress& solving);

}  // namespace mercer
