// K·V of a symmetric K, V in float64, from square tiles of the lower half of K. A tile below the diagonal
// serves its own rows and, transposed, those of its columns: half the entries are computed, held and read. As
// many tiles are held as the memory allows; the others are computed in every product.
#pragma once

#include <span>
#include <vector>

#include "mercer/progress.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

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

extern template class SymmetricProduct<float>;
extern template class SymmetricProduct<double>;

}  // namespace mercer
