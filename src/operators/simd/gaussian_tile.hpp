// Tiles of exp(p·‖x − z‖² + q) over points of few coordinates, made in registers: products, distances and exp
// of a few rows and two vectors of columns at a time, so that nothing but the result goes through memory. Of
// sums over the rows, which is what predictions and gradients are, that is one number for each column.
//
// ‖x − z‖² = ‖x‖² + ‖z‖² − 2xᵀz; where six bits or more cancel, and for points of very few coordinates
// everywhere, it is Σ(x − z)². Each entry is summed from its first coordinate to its last, whatever the shape
// of the tile, and k(x, z) and k(z, x) are the same bits.
//
// exp is 2^k·2^f with f in [−½, ½], a polynomial of degree 6 in float32 and 11 in float64 that is 1 at 0;
// what is below the smallest normal number is 0. Its error is at most one unit in the last place beside that
// of the exponent, which is rounded as any number of that size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mercer::simd {

template <class T>
struct GaussianTile {
  std::size_t rows, columns, d = 0;
  const T *x = nullptr, *z = nullptr;                     // rows × d, columns × d
  const T *row_norms = nullptr, *column_norms = nullptr;  // squared; not read where `direct`
  const T* panels = nullptr;                              // z, turned; null: not
  bool direct = false;                                    // Σ(x − z)² everywhere
  T p = 0, q = 0;                                         // p ≤ 0, |q| ≤ gaussian_shift
  /// Points of zeros and ones in place of x and z, `words` words each. Null: none.
  std::size_t words = 0;
  const std::uint32_t *x_bits = nullptr, *z_bits = nullptr;
};

inline constexpr double gaussian_shift = 50;
/// Up to so many coordinates a panel of columns stays in the first-level cache.
inline constexpr std::size_t gaussian_columns = 128;

template <class T>
struct GaussianTiles {
  /// Columns of a panel: what one pass over the rows deals with. Turning them takes as long as ten rows.
  std::size_t (*panel_columns)();
  /// z turned into panels that follow each other, the last one filled up with 0.
  void (*turn)(const T* z, std::size_t columns, std::size_t d, T* panels);
  /// out[i][j] = k(xᵢ, zⱼ)
  void (*fill)(const GaussianTile<T>& tile, T* const* out);
  /// out[i][j] = the number of bits in which xᵢ and zⱼ differ
  void (*count)(const GaussianTile<T>& tile, T* const* out);
  /// sums[j] += Σᵢ t[i]·k(xᵢ, zⱼ), in the order of the rows; six at a time in T, these in float64.
  void (*add)(const GaussianTile<T>& tile, const double* t, double* sums);
  /// The same, and row_sums[i] += Σⱼ s[j]·k(xᵢ, zⱼ): each value serves both ways.
  void (*add_both)(const GaussianTile<T>& tile, const double* t, double* sums, const double* s,
                   double* row_sums);
  /// sums[c · stride + j] += Σᵢ V[i · width + c]·k(xᵢ, zⱼ) for c < width: several sums over the same values.
  /// Those of 36 rows are made in T, and these are added up in float64.
  void (*add_several)(const GaussianTile<T>& tile, const T* V, std::size_t width, double* sums,
                      std::size_t stride);
};

template <class T>
const GaussianTiles<T>& gaussian_tiles(const std::string& instruction_set);
template <class T>
const GaussianTiles<T>& gaussian_tiles();

}  // namespace mercer::simd
