// Products of points with few coordinates. A matrix product that is only a few numbers deep spends its time
// on being called and on rearranging; and a command on a small table would spend most of its time on loading
// OpenBLAS. Each entry is summed from its first coordinate to its last, whatever the shape of the product, so
// that its bits do not depend on it.
#pragma once

#include <cstddef>
#include <string>

namespace mercer::simd {

/// out (m × n, rows `stride` apart) = A (m × d) · B (n × d)ᵀ, all row-major.
template <class T>
using ShallowProduct = void (*)(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
                                std::size_t stride);

template <class T>
ShallowProduct<T> shallow_product(const std::string& instruction_set);
template <class T>
ShallowProduct<T> shallow_product();

}  // namespace mercer::simd
