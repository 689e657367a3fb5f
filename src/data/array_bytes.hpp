// The parts of a data set as NumPy arrays: a .npy header and the bytes behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mercer/dataset.hpp"

namespace mercer {

struct ArrayBytes {
  std::string name;         ///< in a .npz file
  std::string header;       ///< as .npy has it
  std::string owned;        ///< elements made for the purpose, or
  std::string_view shared;  ///< elements that belong to the data set

  std::string_view elements() const noexcept { return owned.empty() ? shared : std::string_view(owned); }
};

/// X, or the five arrays of scipy.sparse.save_npz where the points are sparse.
std::vector<ArrayBytes> arrays_of_points(const Points& points);
/// y: real targets as float64 (a matrix where there are several columns), integer labels as int64, other
/// labels as text.
ArrayBytes array_of_target(const Target& target);
ArrayBytes array_of_weights(const std::vector<double>& weights);

}  // namespace mercer
