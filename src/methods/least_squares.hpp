// Least squares with a penalty c on ‖f‖², the closed form behind ridge and ols: with W the rows' weights,
//   min Σ wᵢ(yᵢ − f(xᵢ) − b)² + c‖f‖²   gives   (K + cW⁻¹)α + b1 = y,   and where b is free 1ᵀα = 0.
// The system is symmetric in S = W^½: α = S(SKS + cI)⁻¹S(y − b1). A free b takes a second right-hand side:
// with v and u the answers to y and 1, b = 1ᵀv/1ᵀu and α = v − bu. Where c = 0 and K is singular, the f of
// least norm among those of least error.
#pragma once

#include <functional>

#include "methods/rows.hpp"
#include "methods/watch.hpp"

namespace mercer {

/// `c`: of the rows' weights as they are. `start`: a guess of (SKS + cI)⁻¹S(y, and 1 where b is free), n ×
/// columns, or nothing; a good one spares the solver.
Fitted fit_least_squares(const Training& training, const Rows& rows, Watch& watch, double c, bool bias,
                         std::span<const double> start = {});

/// Whether the kernel is positive semidefinite only conditionally, of order 1: enough where b is free, as
/// then 1ᵀα = 0, but not for the system above.
bool valid_conditionally(const Kernel& kernel);
/// The fit with such a kernel: `fit` with center(k), which gives the same f, written as an expansion over k.
/// `penalised`: whether ‖f‖² costs anything.
Fitted fit_centred(const Training& training, bool penalised,
                   const std::function<Fitted(const Training&)>& fit);

}  // namespace mercer
