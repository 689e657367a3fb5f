// Variables that differ in nothing but their bounds are one: those of equal points with the same linear term, in the same
// group and on the same side of 0. Real tables are full of equal rows, and K shrinks with the square of their number.
#pragma once

#include "solvers/box_problem.hpp"

namespace mercer {

class MergedProblem {
 public:
  /// `point_of`: of each of the original's points the one that stands for it. A guess becomes the start.
  MergedProblem(const BoxProblem& original, std::span<const std::int32_t> point_of);

  const BoxProblem& problem() const noexcept { return merged_; }
  /// β of the original's variables: each takes the same share of its bounds, so that the order of the rows does not matter.
  std::vector<double> split(std::span<const double> beta) const;

 private:
  const BoxProblem& original_;
  BoxProblem merged_;
  std::vector<std::size_t> merged_of_;  // of each original variable
};

}  // namespace mercer
