// Products of a tile with float64 vectors. The tile may be float32; sums are float64, so that a product is as
// exact as the tile. Of a symmetric K a tile below the diagonal serves twice while it passes through the
// processor once: what bounds K·v is the reading of K.
#pragma once

#include <cstddef>
#include <string>

namespace mercer::simd {

template <class T>
struct TileProducts {
  /// y += A x and z += Aᵀ w for A of rows × columns, rows `stride` apart.
  void (*both)(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
               double* y, const double* w, double* z);
  /// y += A x
  void (*plain)(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
                double* y);
  /// z += Aᵀ w
  void (*transposed)(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* w,
                     double* z);
};

template <class T>
const TileProducts<T>& tile_products(const std::string& instruction_set);
template <class T>
const TileProducts<T>& tile_products();

}  // namespace mercer::simd
