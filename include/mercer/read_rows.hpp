// Reading for those who must know more: which row of the file each row was, such as whoever writes an answer
// for every row, or how much memory the rows will take.
#pragma once

#include <vector>

#include "mercer/dataset.hpp"

namespace MERCER_EXPORT mercer {

/// As read(path, options). `left_out` becomes the rows of the file, from 0 and ascending, that are not among
/// the points: a value is missing, or an object cannot be read. Of a table whose rows are members of sets:
/// none.
Dataset read(const std::string& path, const ReadOptions& options, std::vector<std::size_t>& left_out);

/// About how many bytes the rows of a .csv, .tsv, LIBSVM or .npy file will take, from its size and its first
/// megabyte; 0 for others. Throws Error{data} where there is no such file.
std::size_t estimated_bytes(const std::string& path, const ReadOptions& options);

}  // namespace mercer
