// A stored panel A times several float64 vectors, forwards and transposed in one reading.
#pragma once

#include <cstddef>

namespace mercer {

/// y += A x and z += Aᵀ w for A of rows × columns (rows `stride` apart); x is columns × k, y rows × k, w rows
/// × k and z columns × k, row-major. Either product is left out where its vectors are null. Sums are float64
/// whatever T.
template <class T>
void add_panel_products(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
                        const double* x, double* y, const double* w, double* z);

}  // namespace mercer
