// Products of a large matrix with one of 32 columns, without copying the large one: BLAS packs every number
// of it before it multiplies, which takes a part of the time that is worth saving where each meets 32 numbers
// only.
#pragma once

#include <cstddef>
#include <string>

namespace mercer::simd {

inline constexpr std::size_t thin_columns = 32;

template <class T>
struct ThinProducts {
  /// out += A·B; A is m × k with rows `stride` apart, B k × 32 and out m × 32, row-major. Each number is
  /// summed from the first of k to the last, whatever m is.
  void (*add)(const T* A, std::size_t stride, std::size_t m, std::size_t k, const T* B, T* out);
  /// out += AᵀB; A is k × m.
  void (*add_transposed)(const T* A, std::size_t stride, std::size_t m, std::size_t k, const T* B, T* out);
};

template <class T>
const ThinProducts<T>& thin_products(const std::string& instruction_set);
template <class T>
const ThinProducts<T>& thin_products();

}  // namespace mercer::simd
