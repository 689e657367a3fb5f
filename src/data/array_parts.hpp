// NumPy arrays as the parts of a data set; shared by .npy and .npz files.
#pragma once

#include <string>

#include "data/assemble.hpp"
#include "data/npy_array.hpp"

namespace mercer {

Points::Storage read_points(const NpyArray& array, const ReadOptions& options);
/// One label or number per row: texts are classes, numbers as LabelColumn decides. A matrix of numbers with
/// as many rows as the points is a target of several columns.
void read_target(const NpyArray& array, const ReadOptions& options, std::string name, Parts& parts);
/// One number, 0 or more, per row.
void read_weights(const NpyArray& array, const ReadOptions& options, Parts& parts);
Dataset assemble_arrays(Parts parts, const ReadOptions& options, const std::string& file);

}  // namespace mercer
