// Φ, the n × p matrix of explicit features with K = ΦΦᵀ: the columns themselves (`linear`, `2*linear`,
// `linear@[a, b]`), or the sparse features of objects (spectrum, wl, bow and their sums, multiples and
// normalised forms). With few features everything about K follows from ΦᵀΦ, an expansion collapses, Σᵢ αᵢ
// k(xᵢ, x) = wᵀφ(x), and solvers that keep weights in place of coefficients become possible.
#pragma once

#include <memory>
#include <optional>

#include "kernels/linear_form.hpp"

namespace mercer {

class FeatureOperator {
 public:
  /// None where the kernel has no such features of these points. The kernel must be resolved.
  static std::optional<FeatureOperator> of(const Kernel& kernel, const Points& reference, int threads);

  const Points& rows() const noexcept { return rows_; }  ///< φ of the reference points: Φ
  std::size_t features() const noexcept { return rows_.cols(); }
  /// φ of other points, over the features of the reference: what no reference point has, no product with one
  /// can see.
  Points apply(const Points& points, int threads) const;
  /// Where features are columns: rows p with k(p, x) = wᵀφ(x), one for each row w of `weights`. None where no
  /// point has such features.
  std::optional<Points> points_of(const Dense<double>& weights, const Points& like) const;

 private:
  explicit FeatureOperator(const Kernel& kernel) : kernel_(kernel) {}
  Kernel kernel_;
  std::optional<LinearForm> form_;
  // Of objects: the reference points under each map, in the order met.
  std::shared_ptr<const std::vector<Points>> images_;
  Points rows_;
};

}  // namespace mercer
