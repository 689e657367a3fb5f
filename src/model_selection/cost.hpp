// How long candidates take: the work of each kind of method gives the shape, what was measured so far the
// scale; before that, the time that an entry of K takes on this machine.
#pragma once

#include <map>

#include "model_selection/candidate_lines.hpp"

namespace mercer {

class CostModel {
 public:
  explicit CostModel(std::size_t folds) : folds_(folds) {}

  /// Evaluating all candidates of the line on so many rows took this long.
  void add(const CandidateLine& line, std::size_t rows, double seconds);
  /// What it will take: by the measurements of the line's own space, else by all, else by that of an entry of
  /// K.
  double seconds(const CandidateLine& line, std::size_t rows) const;

 private:
  struct Sums {
    double work = 0, seconds = 0;
  };
  double work(const CandidateLine& line, std::size_t rows) const;

  std::size_t folds_;
  std::map<std::size_t, Sums> of_space_ = {};
  Sums all_ = {};
};

}  // namespace mercer
