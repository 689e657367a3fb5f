#include "plot/matrix_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void add_block(std::span<const float> values, MatrixCells& cells, double& sum) noexcept {
  for (const float value : values) {
    if (!std::isfinite(value)) {
      sum = std::numeric_limits<double>::quiet_NaN();
      ++cells.not_finite;
      continue;
    }
    sum += double(value);
    cells.smallest = std::min(cells.smallest, double(value));
    cells.largest = std::max(cells.largest, double(value));
  }
}

}  // namespace

MatrixCells average(std::span<const float> values, std::size_t rows, std::size_t cols, std::size_t to_rows,
                    std::size_t to_cols) {
  MatrixCells cells{.rows = to_rows,
                    .cols = to_cols,
                    .means = {},
                    .low = infinity,
                    .high = -infinity,
                    .smallest = infinity,
                    .largest = -infinity};
  cells.means.reserve(to_rows * to_cols);
  for (std::size_t r = 0; r < to_rows; ++r) {
    const std::size_t top = r * rows / to_rows, bottom = (r + 1) * rows / to_rows;
    for (std::size_t c = 0; c < to_cols; ++c) {
      const std::size_t left = c * cols / to_cols, right = (c + 1) * cols / to_cols;
      double sum = 0;
      for (std::size_t i = top; i < bottom; ++i)
        add_block(values.subspan(i * cols + left, right - left), cells, sum);
      const double mean = sum / double((bottom - top) * (right - left));
      cells.means.push_back(mean);
      if (std::isnan(mean)) continue;
      cells.low = std::min(cells.low, mean);
      cells.high = std::max(cells.high, mean);
    }
  }
  if (cells.low > cells.high) cells.low = 0, cells.high = 1;
  return cells;
}

}  // namespace mercer
