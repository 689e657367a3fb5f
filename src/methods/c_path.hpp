// SVM scores of held-out rows along a path of C: the box QP of each fold is solved for an ascending
// series of C over one held K, each from the answer before it (solvers/box_path.hpp). The model to be kept is
// fitted anew. Once no variable is at a bound, no larger C changes anything.
#pragma once

#include <functional>

#include "base/pool.hpp"
#include "mercer/kernel.hpp"
#include "mercer/method.hpp"
#include "solvers/box_path.hpp"

namespace mercer {

class CPath {
 public:
  explicit CPath(const Validation& validation);

  std::size_t folds() const noexcept { return held_rows_.size(); }
  const std::vector<std::size_t>& held_rows(std::size_t fold) const { return held_rows_[fold]; }
  bool held(std::size_t row, std::size_t fold) const { return validation_.fold[row] == fold; }
  double weight(std::size_t row) const {
    return validation_.training.weights.empty() ? 1.0 : validation_.training.weights[row];
  }

  /// For each of the folds: `make(fold)` is the problem without the fold's rows, over rows as points, always
  /// the same ones, with bounds for C = 1, and of 0 for rows that do not count. take(fold, v, scores): of the
  /// fold's rows, in the order of held_rows(), for the path's value v. May be called from several threads.
  void follow(
      Range folds, const std::function<BoxQp(std::size_t fold)>& make,
      const std::function<void(std::size_t fold, std::size_t v, std::span<const double> scores)>& take) const;

 private:
  const Validation& validation_;
  mutable Pool<BoxPath::Room> rooms_;
  std::vector<std::vector<std::size_t>> held_rows_;  // of each fold
};

}  // namespace mercer
