// Storage that contradicts itself never becomes Points, so that loops over points need no checks of their
// own.
#pragma once

#include <cstddef>

#include "mercer/points.hpp"

namespace mercer {

/// rows × cols; throws Error{data} where that overflows.
std::size_t checked_product(std::size_t rows, std::size_t cols);

template <class T>
void validate(const Dense<T>& dense);
template <class T>
void validate(const Sparse<T>& sparse);

}  // namespace mercer
