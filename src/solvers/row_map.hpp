// φ on rows: what the feature maps have in common inside. Each is made by the function in its own header.
#pragma once

#include <algorithm>
#include <functional>

#include "base/parallel.hpp"
#include "mercer/kernel.hpp"

namespace mercer {

class RowMap {
 public:
  virtual ~RowMap() = default;
  virtual std::size_t features() const noexcept = 0;
  /// out (points.rows() × features, row-major) = φ of every row; the points have the map's columns.
  virtual void apply(const Points& points, int threads, double* out) const = 0;
};

/// Calls task(range) for ranges that together are all rows. The cut depends on the number of rows alone.
inline void for_row_blocks(std::size_t rows, int threads, const std::function<void(Range)>& task) {
  constexpr std::size_t step = 128;
  parallel_for((rows + step - 1) / step, threads, [&](std::size_t b) {
    task({b * step, std::min(rows, (b + 1) * step)});
  });
}

}  // namespace mercer
