// Σₖ zₖ² of z = L⁻¹q for many q at once, L lower triangular with few diagonals: the vector loop behind the
// diagonal of (Q B Qᵀ)⁻¹ = Q L⁻ᵀL⁻¹Qᵀ (solvers/band_form.hpp).
#pragma once

#include <cstddef>
#include <string>

namespace mercer::simd {

inline constexpr std::size_t norm_columns = 64;  ///< vectors q that are solved for side by side
inline constexpr std::size_t norm_rows = 4;      ///< rows of L that are worked on together

/// The numbers that `norm_rows` rows of L with `width` diagonals below the main one take: for each of the
/// width columns to their left the four entries of the rows, then the 4 × 4 block on the diagonal by rows,
/// with the inverses of the diagonal's entries.
inline constexpr std::size_t packed_norm_rows(std::size_t width) {
  return norm_rows * width + norm_rows * norm_rows;
}

template <class T>
struct BandNorms {
  /// sums[c] = ‖L⁻¹q_c‖², c < norm_columns. `packed`: n rows of L, n a multiple of norm_rows. `q`: n ×
  /// norm_columns, row-major. `scratch`: norm_scratch(width) numbers.
  void (*squared_norms)(const T* packed, std::size_t n, std::size_t width, const T* q, T* scratch,
                        double* sums);
};

/// z of so many rows is kept before the last `width` of them move to the front.
inline constexpr std::size_t norm_stretch = 256;
inline constexpr std::size_t norm_scratch(std::size_t width) {
  return (width + norm_stretch + 1) * norm_columns;
}

template <class T>
const BandNorms<T>& band_norms(const std::string& instruction_set);
template <class T>
const BandNorms<T>& band_norms();

}  // namespace mercer::simd
