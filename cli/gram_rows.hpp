// The kernel `precomputed` reads rows of a serial number and the values with rows 1, 2, …, as LIBSVM writes
// them. What `mercer gram` and numpy write has the values alone; here it gets the numbers.
#pragma once

#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"

namespace mercer::cli {

/// Of a square symmetric matrix, where the kernel is `precomputed`, the rows are numbered from 1; all else is
/// left as it is.
void number_gram_rows(Dataset& data, const Kernel& kernel);

/// Rows of values with the rows that a model of a `precomputed` kernel has learned from; `columns` are the
/// model's.
void number_gram_rows(Dataset& data, const Kernel& kernel, std::size_t columns);

}  // namespace mercer::cli
