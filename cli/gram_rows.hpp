// Tables that the kernel `precomputed` reads: kernel matrices, as `mercer gram`, numpy or LIBSVM write them.
#pragma once

#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"

namespace mercer::cli {

/// Rows to learn from: kernel_rows() of them where the kernel is `precomputed`.
void read_as_matrix(Dataset& data, const Kernel& kernel);

/// Rows of values with the `columns` rows that a model of a `precomputed` kernel has learned from, and
/// perhaps a serial number in front, which is dropped.
void read_as_matrix(Dataset& data, const Kernel& kernel, std::size_t columns);

/// How many columns LIBSVM text has for a model of `columns`: a serial number stands in front of the values
/// of a kernel matrix.
std::size_t libsvm_columns(const Kernel& kernel, std::size_t columns, bool from_zero);

}  // namespace mercer::cli
