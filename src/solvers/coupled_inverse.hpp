// (Bᵀ(F Fᵀ ⊗ I)B + μI)⁻¹ for the systems of rows with several outputs (RowFactors), by the identity of
// Woodbury with U = Bᵀ(F ⊗ I):  (V − U (μI + UᵀU)⁻¹ UᵀV)/μ. The small matrix UᵀU = Σᵢ Wᵢ ⊗ FᵢFᵢᵀ, Wᵢ = BᵢBᵢᵀ,
// has a block for each pair of outputs. It sees how the outputs hang together, which an inverse made for
// their average does not.
#pragma once

#include <optional>

#include "mercer/progress.hpp"
#include "operators/feature_operator.hpp"
#include "solvers/row_factors.hpp"

namespace mercer {

class CoupledInverse {
 public:
  /// `F` must outlive this.
  CoupledInverse(const FeatureOperator& F, int threads, const Progress& progress)
      : F_(F), threads_(threads), progress_(progress) {}

  /// False where the small matrix would be too large, or cannot be factorised.
  bool prepare(const RowFactors& factors, double mu);
  /// out ≈ the inverse times V; columns = outputs · right-hand sides.
  void apply(std::span<const double> V, std::size_t columns, std::span<double> out) const;

 private:
  const FeatureOperator& F_;
  int threads_;
  Progress progress_;
  std::optional<RowFactors> factors_;
  double mu_ = 0;
  Buffer<double> L_;  // the Cholesky factor of μI + UᵀU
};

}  // namespace mercer
