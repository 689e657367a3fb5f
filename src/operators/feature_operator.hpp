// Φ, the n × p matrix of features of n rows, with K = ΦΦᵀ exactly or nearly: the second of the two operators
// that solvers see (the first is KernelOperator, K itself). With fewer features than rows everything about K
// follows from ΦᵀΦ, an expansion collapses, Σᵢ αᵢ k(xᵢ, x) = wᵀφ(x), and solvers can keep weights in place of
// coefficients.
#pragma once

#include <span>

#include "mercer/buffer.hpp"
#include "mercer/kernel.hpp"

namespace mercer {

/// Results are the same bits for any number of threads.
class FeatureOperator {
 public:
  virtual ~FeatureOperator() = default;
  virtual std::size_t rows() const noexcept = 0;      ///< n
  virtual std::size_t features() const noexcept = 0;  ///< p

  /// out (n × k) = Φ W, and out (p × k) = Φᵀ V; all row-major.
  virtual void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const = 0;
  virtual void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const = 0;

  /// Φᵀ S² Φ, p × p, row-major, lower half; S: n numbers, or none for ones. `rough`: parts of the sums may be
  /// taken in float32.
  virtual Buffer<double> normal_matrix(std::span<const double> s, bool rough = false) const = 0;
  /// Whether rough sums would do where μ is added to the diagonal.
  virtual bool rough_suffices(std::span<const double> /* s */, double /* mu */) const { return false; }
};

}  // namespace mercer
