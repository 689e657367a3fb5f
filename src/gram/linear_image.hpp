// Kernels of objects that are dot products of sparse features: k(x, z) = φ(x)ᵀφ(z) with a φ that can be written down, as of spectrum, wl, bow
// and their sums, multiples and normalised forms. An expansion then collapses, Σᵢ αᵢ k(xᵢ, x) = wᵀφ(x), and a prediction takes as long as x is large.
#pragma once

#include <memory>
#include <optional>

#include "mercer/kernel.hpp"

namespace mercer {

class LinearImage {
 public:
  /// None where the points have no objects, or the kernel is no such dot product of them. The kernel must be resolved.
  static std::optional<LinearImage> of(const Kernel& kernel, const Points& reference, int threads);

  const Points& reference() const noexcept { return reference_; }  ///< φ of the reference points, sparse rows
  /// φ of other points, over the columns of the reference: what no reference point has, no product with one can see.
  Points apply(const Points& points, int threads) const;

 private:
  LinearImage(const Kernel& kernel) : kernel_(kernel) {}
  Kernel kernel_;
  std::shared_ptr<const std::vector<Points>> images_;  // of the reference points under each map, in the order met
  Points reference_;
};

}  // namespace mercer
