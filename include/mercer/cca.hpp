// Kernel canonical correlation analysis: what two views of the same rows have in common.
#pragma once

#include <vector>

#include "mercer/fit.hpp"

namespace MERCER_EXPORT mercer {

struct CcaOptions {
  std::size_t components = 2;
  double regularization = 0.02;  ///< κ > 0: without it every correlation of a kernel of full rank is 1
  int threads = 0;
  std::size_t memory = std::size_t(1) << 30;
  Progress progress = {};
};

/// max αᵀK̄ₓK̄ᵧβ with αᵀ(K̄ₓ + nκ/2)²α = βᵀ(K̄ᵧ + nκ/2)²β = 1, of centred kernel matrices; each further pair
/// orthogonal to those before in these products.                                    Bach & Jordan 2002, eq.
/// 9; Hardoon et al. 2004
struct KernelCca {
  std::vector<double> correlations;  ///< the maxima, descending
  /// The functions f = Σ αᵢ k̄(xᵢ, ·) and g = Σ βᵢ k̄(yᵢ, ·), a column for each pair: of mean 0 and variance 1
  /// on the rows. Their kernels are centred over the rows: sums() of new rows are their projections.
  Expansion x, y;
};

/// Of as many x as y. Throws Error{usage} where κ or the number of components is out of range.
KernelCca kernel_cca(const Kernel& kernel, const Points& x, const Kernel& other_kernel, const Points& y,
                     const CcaOptions& options = {});

}  // namespace mercer
