// A kernel with fewer explicit features than rows: K = Φ Φᵀ, so that everything about S K S + cI follows from
// the small matrix Φᵀ S² Φ (columns × columns). Where c = 0 the solution of least norm is taken: with B = SΦ
// and Bᵀ B = V Λ Vᵀ it is B V Λ⁻² Vᵀ Bᵀ R over the eigenvalues above rounding.
#pragma once

#include <optional>
#include <vector>

#include "mercer/progress.hpp"
#include "mercer/points.hpp"
#include "solvers/eigen.hpp"
#include "solvers/coupled_inverse.hpp"
#include "solvers/inverse.hpp"
#include "solvers/low_rank_inverse.hpp"

namespace mercer {

class PrimalInverse : public Inverse {
 public:
  /// `features`: Φ.
  PrimalInverse(const Points& features, int threads, const Progress& progress);

  bool prepare(std::span<const double> s, double c) override;
  bool prepare(const RowFactors& factors, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;
  /// Of S K S, to rounding; known where c = 0.
  std::size_t rank() const noexcept;
  std::size_t features() const noexcept { return columns_; }
  /// out = K·V = Φ(ΦᵀV); n × k, row-major.
  void multiply(std::span<const double> V, std::size_t k, std::span<double> out) const;

  static std::size_t bytes(std::size_t rows, std::size_t columns) {
    return sizeof(double) * (rows * columns + 4 * columns * columns);
  }

 private:
  std::size_t rows_, columns_;
  Buffer<double> transposed_;  // Φᵀ: columns × rows, row-major
  LowRankInverse<double> inverse_;
  std::optional<CoupledInverse<double>> coupled_;  // where rows have several outputs
  int threads_;
  Progress progress_;
  std::vector<double> s_;
  double c_ = -1;
  Eigen eigen_;  // of Φᵀ S² Φ, where c = 0
};

}  // namespace mercer
