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
#include <span>
#include <vector>

#include "mercer/kernel_operator.hpp"
#include "mercer/progress.hpp"

namespace mercer {

inline constexpr std::size_t shallow_depth = 64;

/// out (m × n, rows `stride` apart) = A (m × d) · B (n × d)ᵀ, all row-major.
template <class T>
void dense_products(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
                    std::size_t stride);

/// A stored panel A times several float64 vectors, forwards and transposed in one reading:
/// y += A x and z += Aᵀ w for A of rows × columns (rows `stride` apart); x is columns × k, y rows × k, w rows
/// × k and z columns × k, row-major. Either product is left out where its vectors are null. Sums are float64.
template <class T>
void add_panel_products(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
                        const double* x, double* y, const double* w, double* z);

/// K·V of a symmetric K, V in float64, from square tiles of the lower half of K. A tile below the diagonal
/// serves its own rows and, transposed, those of its columns: half the entries are computed, held and read.
/// As many tiles are held as the memory allows; the others are computed in every product.
template <class T>
class SymmetricProduct {
 public:
  /// `K` must outlive it.
  SymmetricProduct(const KernelOperator<T>& K, std::size_t memory, int threads, const Progress& progress);

  /// out = K·V, both n × k, row-major. The bits do not depend on the number of threads.
  void multiply(std::span<const double> V, std::size_t k, std::span<double> out) const;

  std::size_t held_bytes() const noexcept { return held_.size() * sizeof(T); }
  bool all_held() const noexcept { return held_tiles_ == first_.size(); }
  std::size_t evaluations() const noexcept { return evaluations_; }  ///< entries computed so far

  /// The bytes that all tiles take.
  static std::size_t whole_bytes(std::size_t n);

 private:
  struct Tile {
    Range rows, columns;
    bool diagonal() const { return rows.begin == columns.begin; }
    std::size_t entries() const { return rows.size() * columns.size(); }
  };
  Tile tile(std::size_t number) const;
  void hold_tiles();
  void add_row(std::size_t block_row, const double* V, std::size_t k, double* out) const;
  void add_tile(std::size_t number, const double* V, std::size_t k, double* out, Buffer<T>& scratch) const;

  const KernelOperator<T>& K_;
  Progress progress_;
  int threads_;
  std::size_t n_, step_, blocks_;
  std::vector<std::size_t> first_;  // where tile number t begins in held_, for all t
  std::size_t held_tiles_ = 0;
  Buffer<T> held_;
  mutable std::size_t evaluations_ = 0;
};

}  // namespace mercer
