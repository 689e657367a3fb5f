// The inner level of two-level SMO: a box problem over the few variables of a working set, K held whole.
//
// A step t > 0 along (+1, −1) on variables i and j of one group keeps the group's sum; the box only bounds t.
// i is the variable that can rise with the largest −G, j the partner with the largest decrease to second
// order (Fan, Chen & Lin, Working set selection using second order information, JMLR 2005).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "solvers/simd/smo_steps.hpp"
#include "mercer/buffer.hpp"

namespace mercer {

/// Variables are laid out group after group, each group padded so that vector loops need no remainder; the
/// padding can neither rise nor fall.
template <class T>
class WorkingSet {
 public:
  WorkingSet() = default;
  /// With K in `kept`, which outlives it, grown where it is too small.
  explicit WorkingSet(Buffer<T>& kept) : kept_(&kept) {}

  /// Room for `sizes[g]` variables in each group; what is in them is set by place().
  void resize(std::size_t first_group, std::size_t second_group);
  /// The same, with rows that the caller keeps: `provide(places, rows)` sets rows[p] for every place p given,
  /// when the first is needed; the others are likely to be soon. A row has stride() numbers, those that no
  /// variable stands for finite. `many`: most rows will be needed.
  using Provide = std::function<void(std::span<const std::size_t> places, std::span<const T*> rows)>;
  void resize(std::size_t first_group, std::size_t second_group, bool many, Provide provide);
  std::size_t place_of(int group, std::size_t number) const noexcept { return begins_[group] + number; }
  /// `gradient`: up to a number that all of the group share. G is kept in T, which tells most apart about 0:
  /// that should be where the violations are.
  /// A variable may have a kink, below which its gradient is smaller by `rise`; `gradient` is that above it.
  struct Kink {
    double at = -std::numeric_limits<double>::infinity(), rise = 0;
  };
  void place(std::size_t at, double beta, double gradient, double lower, double upper, double diagonal,
             Kink kink = {});
  /// Row i of K, to be filled by the caller for every variable.
  T* row(std::size_t i) noexcept { return own_rows_ + i * stride_; }
  std::size_t stride() const noexcept { return stride_; }

  /// Steps until the violation is at most max(tolerance, reduction × the violation at the start) or as small
  /// as T can tell, or `most` steps. Roundings of G add up: where the tolerance counts, it is computed anew
  /// from β, and this called again. Returns the number of steps.
  std::size_t solve(double tolerance, double reduction, std::size_t most);

  double beta(std::size_t i) const noexcept { return beta_[i]; }

 private:
  void set_sizes(std::size_t first_group, std::size_t second_group);
  /// What the gradient that way is less than that above the kink.
  T less_rising(std::size_t i) const noexcept { return beta_[i] < kinks_[i].at ? T(kinks_[i].rise) : T(0); }
  T less_falling(std::size_t i) const noexcept { return beta_[i] > kinks_[i].at ? T(0) : T(kinks_[i].rise); }
  void set_wishes(std::size_t i, T gradient) noexcept;
  const T* provided(std::size_t i) {
    if (!rows_[i]) ask_for(i);
    return rows_[i];
  }
  void ask_for(std::size_t i);
  void add_most_wanted(std::size_t count);

  const simd::Steps<T>& steps_ = simd::steps<T>();
  std::size_t begins_[3] = {}, stride_ = 0;
  Buffer<T> own_;
  Buffer<T>* kept_ = nullptr;  // null: own_
  T* own_rows_ = nullptr;      // of that
  Provide provide_;
  std::vector<const T*> rows_;  // null: not provided yet
  bool many_ = false;
  std::size_t asked_for_ = 0;         // rows, since they were last all unknown
  std::vector<std::size_t> asked_;    // places
  std::vector<std::size_t> unknown_;  // places whose rows were not known when rows were last asked for
  std::vector<std::pair<T, std::size_t>> wishes_;
  std::vector<double> beta_, lower_, upper_;
  std::vector<Kink> kinks_;
  Buffer<T> numbers_;  // in which these are, as vectors lie in the caches
  T *diagonal_ = nullptr, *rise_ = nullptr, *fall_ = nullptr;  // the last two: −G that way; infinite: no way
};

}  // namespace mercer
