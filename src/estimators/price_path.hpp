// Support vector machines for rows left out, along a path of prices: the box problem of each fold is solved for an ascending
// series of C over one held K, each from the answer before it. No certificate is computed: the answers are compared with
// each other, and the model to be kept is fitted anew.
//
// A variable at its bound is likely to be at the next bound too, a free one to stay where it is (DeCoste & Wagstaff, Alpha
// seeding for support vector machines, 2000). Once none is at a bound, no larger C changes anything.
#pragma once

#include <functional>

#include "base/poll.hpp"
#include "mercer/method.hpp"
#include "solvers/smo.hpp"

namespace mercer {

class PricePath {
 public:
  explicit PricePath(const Validation& validation);

  std::size_t folds() const noexcept { return held_rows_.size(); }
  const std::vector<std::size_t>& held_rows(std::size_t fold) const { return held_rows_[fold]; }
  bool held(std::size_t row, std::size_t fold) const { return validation_.fold[row] == fold; }
  double weight(std::size_t row) const { return validation_.training.weights.empty() ? 1.0 : validation_.training.weights[row]; }

  /// `make(value)`: the problem without the fold, over the rows as points; its bounds grow with the value, nothing else does.
  /// take(v, scores): of the fold's rows, in the order of held_rows(), for the path's value v. May be called from several threads.
  void follow(std::size_t fold, const std::function<BoxProblem(double value)>& make,
              const std::function<void(std::size_t v, std::span<const double> scores)>& take) const;

 private:
  std::vector<double> scores_of(std::size_t fold, const BoxProblem& problem, const SmoResult& result) const;

  const Validation& validation_;
  Poll poll_;
  std::vector<Range> segments_;                        // runs of rows of one class and fold
  std::vector<std::vector<std::size_t>> held_rows_;    // of each fold
};

}  // namespace mercer
