// Pictures as self-contained SVG text: no scripts, no outside files, legible on light and dark pages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

struct MatrixPictureOptions {
  /// Rows [begin, end), counted from 0, that belong together, such as the rows of one class.
  struct Group {
    std::string label;
    std::size_t begin = 0, end = 0;
  };

  std::string title = {};  ///< usually the kernel's text
  /// Ascending and disjoint; drawn on the columns too where the matrix is square.
  std::vector<Group> groups = {};
  std::vector<std::string> notes = {};  ///< lines below the picture, behind its own
  std::size_t most_cells = 256;  ///< along either side, at least 1; a larger matrix is averaged down to that
};

/// A heat map of a rows × cols matrix, row-major. A matrix of more cells than allowed is averaged down; a
/// cell that covers a value that is not finite is grey. Throws Error{usage} for an empty matrix, for values
/// that are not rows × cols, and for groups that overlap or leave the matrix.
std::string matrix_picture(std::span<const float> values, std::size_t rows, std::size_t cols,
                           const MatrixPictureOptions& options = {});

}  // namespace mercer
