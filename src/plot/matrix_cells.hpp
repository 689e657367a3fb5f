// A matrix averaged down to the number of cells that a picture can show. In matrix_picture.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mercer {

struct MatrixCells {
  std::size_t rows = 0, cols = 0;
  std::vector<double> means;         // rows × cols, row-major; NaN where a value of the block is not finite
  double low = 0, high = 1;          ///< the range of the means; 0 to 1 where there are none
  double smallest = 0, largest = 0;  ///< the range of the finite values themselves
  std::size_t not_finite = 0;        ///< how many values are not
};

/// Blocks as equal as whole rows and columns allow. 1 ≤ to_rows ≤ rows, and likewise for columns.
MatrixCells average(std::span<const float> values, std::size_t rows, std::size_t cols, std::size_t to_rows,
                    std::size_t to_cols);

}  // namespace mercer
