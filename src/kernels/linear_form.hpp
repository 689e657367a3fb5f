// Kernels whose feature map is the columns themselves: `linear`, `2*linear`, `linear@[a, b]`. What is true of
// xᵀz, that a sum Σ αᵢ k(xᵢ, x) is one weight a column, is true of all of them.
#pragma once

#include <optional>
#include <vector>

#include "mercer/kernel.hpp"

namespace mercer {

/// k(x, z) = factor · Σ xⱼ zⱼ over some columns; φ(x) = √factor · (xⱼ).
class LinearForm {
 public:
  /// None where the kernel has another form.
  static std::optional<LinearForm> of(const Kernel& kernel);

  double factor() const noexcept { return factor_; }
  bool plain() const noexcept { return factor_ == 1 && !place_; }  ///< k(x, z) = xᵀz of all columns
  std::size_t columns(const Points& points) const;                 ///< how many columns it sees
  /// φ of every row: dense or sparse as they are, float64 unless they are taken as they are.
  Points features(const Points& points) const;
  /// Rows p in the columns of `like` with k(p, x) = wᵀφ(x), one for each row w of `weights`.
  Points points_of(const Dense<double>& weights, const Points& like) const;

 private:
  std::vector<double> seen(const Points& like) const;
  double factor_ = 1;
  std::optional<Kernel> place_;  // k@[columns]: what chooses the columns
};

/// Whether k(x, z) = xᵀz.
bool is_dot_product(const Kernel& kernel);

}  // namespace mercer
