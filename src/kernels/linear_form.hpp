// Kernels whose feature map is the columns themselves: `linear`, `2*linear`, `linear@[a, b]`, and sums of
// them. What is true of xᵀz, that a sum Σ αᵢ k(xᵢ, x) is one weight a column, is true of all of them.
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
  /// The same of kernels with a constant beside the sum, as poly(degree=1) has: factor · Σ xⱼ zⱼ + offset.
  /// All else that is said here is of the sum alone.
  static std::optional<LinearForm> with_offset(const Kernel& kernel);

  double factor() const noexcept { return factor_; }
  double offset() const noexcept { return offset_; }
  bool plain() const noexcept { return factor_ == 1 && !place_; }  ///< k(x, z) = xᵀz of all columns
  std::size_t columns(const Points& points) const;                 ///< how many columns it sees
  /// φ of every row: dense or sparse as they are, float64 unless they are taken as they are.
  Points features(const Points& points) const;
  /// Rows p in the columns of `like` with k(p, x) = wᵀφ(x), one for each row w of `weights`.
  Points points_of(const Dense<double>& weights, const Points& like) const;
  /// The numbers of the columns that it sees, from 0.
  std::vector<std::size_t> seen(const Points& like) const;

 private:
  double factor_ = 1, offset_ = 0;
  std::optional<Kernel> place_;  // k@[columns]: what chooses the columns
};

/// k(x, z) = Σ factorⱼ xⱼ zⱼ + constant: a sum of such forms and of constants. Σ αᵢ k(xᵢ, x) is then one
/// weight a column and a number.
struct LinearSum {
  std::vector<double> factors;  ///< ≥ 0, one for each column
  double constant = 0;

  /// None where the kernel has another form, or the points are not rows of numbers.
  static std::optional<LinearSum> of(const Kernel& kernel, const Points& like);
};

/// Whether k(x, z) = xᵀz.
bool is_dot_product(const Kernel& kernel);

}  // namespace mercer
