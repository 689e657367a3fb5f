// Least squares with a kernel that is positive semidefinite only conditionally, of order 2 (thin plates): a
// linear trend b + aᵀx stands beside the sum, and the coefficients are orthogonal to 1 and to every column,
// where the kernel is positive semidefinite (Duchon 1977; Wahba 1990, ch. 2):
//
//   min Σ wᵢ(yᵢ − f(xᵢ) − b − aᵀxᵢ)² + c·αᵀKα    gives   (K + cW⁻¹)α + P(b, a) = y,   Pᵀα = 0,   P = [1, X].
//
// With S = W^½, α = Sz and Q an orthonormal basis of the range of SP (centred columns, by the eigenvectors of
// their scatter: columns that depend on others take no part), N = I − QQᵀ:
//   (N·SKS·N + cI + s·QQᵀ) z = N·Sy,   s the mean of the diagonal of N·SKS·N,
// which is positive definite for c > 0, and for c = 0 where no two rows are equal: interpolation. Then Q(b,
// a) is what is left of Sy.
#pragma once

#include "methods/rows.hpp"
#include "methods/watch.hpp"

namespace mercer {

/// Whether the kernel is of order 2 and needs this.
bool needs_trend(const Kernel& kernel);

/// `c`: of the rows' weights as they are. Dense: K is held twice.
Fitted fit_with_trend(const Training& training, const Rows& rows, Watch& watch, double c);

}  // namespace mercer
