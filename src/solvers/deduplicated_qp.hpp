// Variables that differ in nothing but their bounds are one: those of equal points with the same linear term,
// in the same group and on the same side of 0. Real tables are full of equal rows, and K shrinks with the
// square of their number.
#pragma once

#include "solvers/box_qp.hpp"

namespace mercer {

class DeduplicatedQp {
 public:
  /// `point_of`: of each of the original's points the one that stands for it. A guess becomes the start.
  DeduplicatedQp(const BoxQp& original, std::span<const std::int32_t> point_of);

  const BoxQp& problem() const noexcept { return merged_; }
  /// β of the original's variables: each takes the same share of its bounds, so that the order of the rows
  /// does not matter.
  std::vector<double> split(std::span<const double> beta) const;

 private:
  const BoxQp& original_;
  BoxQp merged_;
  std::vector<std::size_t> merged_of_;  // of each original variable
};

}  // namespace mercer
