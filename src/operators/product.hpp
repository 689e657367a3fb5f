// Products of dense points, an entry's bits being the same in whatever product it is computed: matrix(),
// tile() and columns() ask for the same entry in products of different shapes.
//
// Points of up to `shallow_depth` coordinates go through our own loops (simd/shallow_product.hpp), which keep
// that promise and are faster there. For deeper ones OpenBLAS 0.3.21 keeps it on AVX-512 cores but for two
// kinds of products, which are avoided:
//  - m·n ≤ 1200 goes to kernels for small matrices that sum in another order;
//  - float64 with m ≥ 12 and n > 192: the last n mod 8 columns are summed in another order.
// On AVX2 cores (Haswell, Zen) an entry depends on its place in the product: the paths agree to rounding.
#pragma once

#include <cstddef>

namespace mercer {

inline constexpr std::size_t shallow_depth = 64;

/// out (m × n, rows `stride` apart) = A (m × d) · B (n × d)ᵀ, all row-major.
template <class T>
void dense_products(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
                    std::size_t stride);

// A stored panel A times several float64 vectors, forwards and transposed in one reading.

/// y += A x and z += Aᵀ w for A of rows × columns (rows `stride` apart); x is columns × k, y rows × k, w rows
/// × k and z columns × k, row-major. Either product is left out where its vectors are null. Sums are float64.
template <class T>
void add_panel_products(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
                        const double* x, double* y, const double* w, double* z);

}  // namespace mercer
