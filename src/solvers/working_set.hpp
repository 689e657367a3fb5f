// The inner level of two-level SMO: a box problem over the few variables of a working set, K held whole.
//
// A step t > 0 along (+1, −1) on variables i and j of one group keeps the group's sum; the box only bounds t.
// i is the variable that can rise with the largest −G, j the partner with the largest decrease to second
// order (Fan, Chen & Lin, Working set selection using second order information, JMLR 2005).
#pragma once

#include <cstddef>
#include <vector>

#include "solvers/simd/smo_steps.hpp"
#include "mercer/buffer.hpp"

namespace mercer {

/// Variables are laid out group after group, each group padded so that vector loops need no remainder; the
/// padding can neither rise nor fall.
template <class T>
class WorkingSet {
 public:
  /// Room for `sizes[g]` variables in each group; what is in them is set by place().
  void resize(std::size_t first_group, std::size_t second_group);
  /// The same for one group, over a K that the caller keeps: rows of `size` numbers follow each other, and
  /// after the last one there are step_padding numbers more.
  void resize_over(T* K, std::size_t size);
  std::size_t place_of(int group, std::size_t number) const noexcept { return begins_[group] + number; }
  /// `gradient`: up to a number that all of the group share. G is kept in T, which tells most apart about 0:
  /// that should be where the violations are.
  void place(std::size_t at, double beta, double gradient, double lower, double upper, double diagonal);
  /// Row i of K, to be filled by the caller for every variable.
  T* row(std::size_t i) noexcept { return rows_ + i * stride_; }
  std::size_t stride() const noexcept { return stride_; }

  /// Steps until the violation is at most max(tolerance, reduction × the violation at the start) or as small
  /// as T can tell, or `most` steps. Roundings of G add up: where the tolerance counts, it is computed anew
  /// from β, and this called again. Returns the number of steps.
  std::size_t solve(double tolerance, double reduction, std::size_t most);

  double beta(std::size_t i) const noexcept { return beta_[i]; }

 private:
  void set_sizes(std::size_t first_group, std::size_t second_group);
  void set_room(std::size_t i) noexcept;

  const simd::Steps<T>& steps_ = simd::steps<T>();
  std::size_t begins_[3] = {}, stride_ = 0;
  Buffer<T> K_;
  T* rows_ = nullptr;  // of K_, or of the caller's
  std::vector<double> beta_, lower_, upper_;
  std::vector<T> gradient_, diagonal_, up_, down_;
};

}  // namespace mercer
