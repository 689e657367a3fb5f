// The leading eigenpairs of a kernel matrix, bare, centred or scaled:
//   A = D·H·K·Hᵀ·D,   D = diag(scale),   H = I − 1wᵀ/Σw with w = scale² where centred, else H = I.
// Centring is done around the products; A is formed only where n is small. Large n: block Lanczos on K in
// float32, then on products with float64 kernel values from where that ended, so that eigenvalues and
// residuals are those of float64.
#pragma once

#include "mercer/kernel_operator.hpp"
#include "operators/row_features.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

struct KernelEigenOptions {
  enum class Way { automatic, dense, krylov };

  bool centred = false;
  std::vector<double> scale = {};             ///< one per row; none: all 1
  double tolerance = 1e-6;                    ///< of the relative residual
  std::size_t memory = std::size_t(1) << 30;  ///< bytes for K
  int threads = 0;
  std::uint64_t seed = 1;
  Way way = Way::automatic;
  Progress progress = {};
};

struct KernelEigen {
  EigenPairs pairs;  ///< the signs are such that the entry of largest magnitude is positive
  double trace = 0;  ///< of A
  double mass = 0;   ///< of D·K·D, the sum of |entries| on the diagonal: what rounding is measured against
  std::vector<double> means;  ///< where centred: Σⱼ wⱼ k(xᵢ, xⱼ) / Σw of each row
  std::string way;            ///< how, in words
};

/// The `count` largest, count ≤ rows. Error{budget} where neither A nor a basis of `count` vectors fits.
KernelEigen kernel_eigenpairs(const Kernel& kernel, const Points& points, std::size_t count,
                              const KernelEigenOptions& options = {});

/// The same of K = ΦΦᵀ, from the eigenvectors v of ΦᵀDHᵀ·DHΦ, p × p, count ≤ p: u = DHΦv/√λ.
KernelEigen feature_eigenpairs(const RowFeatures& features, std::size_t count,
                               const KernelEigenOptions& options = {});

}  // namespace mercer
