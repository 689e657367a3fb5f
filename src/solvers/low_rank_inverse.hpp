// (S F Fᵀ S + μI)⁻¹ V for a tall F (n × rank), by the identity of Woodbury:
//   (V − S F (μI + Fᵀ S² F)⁻¹ Fᵀ S V) / μ.
// It is exact where K = F Fᵀ (the linear kernel: F are the points), and where F Fᵀ is only near K it makes
// conjugate gradients converge in few steps. Only the small matrix depends on S and μ.
#pragma once

#include <span>
#include <vector>

#include "mercer/progress.hpp"
#include "mercer/buffer.hpp"

namespace mercer {

template <class T>
class LowRankInverse {
 public:
  /// `factor`: rank × n, row-major: row r is column r of F. It must outlive this.
  LowRankInverse(const T* factor, std::size_t rank, std::size_t n, int threads, const Progress& progress);

  std::size_t rank() const noexcept { return rank_; }
  std::size_t rows() const noexcept { return n_; }
  double mu() const noexcept { return mu_; }
  /// S (n non-negative numbers, or none for ones) and μ > 0. False where the small matrix cannot be
  /// factorised.
  bool prepare(std::span<const double> s, double mu);
  /// out = (S F Fᵀ S + μI)⁻¹ V; n × k, row-major.
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const;

  /// out = Fᵀ V (rank × k), and out = F W (n × k).
  void transposed_product(std::span<const double> V, std::size_t k, std::span<double> out) const;
  void product(std::span<const double> W, std::size_t k, std::span<double> out) const;
  /// Fᵀ S² F, rank × rank, row-major, lower half; rows row_stride<double>(rank) apart. `rough`: parts of the
  /// sums are taken in T, which is twice as fast in float32.
  Buffer<double> small_matrix(std::span<const double> s, bool rough = false) const;

 private:
  double trace(std::span<const double> s) const;
  template <class Sum>
  void add_tile(std::size_t row, std::size_t column, std::span<const double> s, double* to) const;

  const T* factor_;
  std::size_t rank_, n_;
  int threads_;
  Progress progress_;
  std::vector<double> s_;
  double mu_ = 0;
  Buffer<double> small_;  // Fᵀ S² F
  bool rough_ = false;    // how it was made
  Buffer<double> L_;      // the Cholesky factor of μI + Fᵀ S² F
};

extern template class LowRankInverse<float>;
extern template class LowRankInverse<double>;

}  // namespace mercer
