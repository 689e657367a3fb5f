// (S Φ Φᵀ S + μI)⁻¹ V for a tall Φ (n × p), by the identity of Woodbury:
//   (V − S Φ (μI + Φᵀ S² Φ)⁻¹ Φᵀ S V) / μ.
// It is exact where K = ΦΦᵀ, and where ΦΦᵀ is only near K it makes conjugate gradients converge in few steps.
// Only the small matrix depends on S and μ. Where μ = 0 the solution of least norm is taken: with B = SΦ and
// BᵀB = VΛVᵀ it is B V Λ⁻² Vᵀ Bᵀ R over the eigenvalues above rounding.
#pragma once

#include <optional>
#include <vector>

#include "mercer/progress.hpp"
#include "operators/feature_operator.hpp"
#include "solvers/eigen.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

/// (Bᵀ(F Fᵀ ⊗ I)B + μI)⁻¹ for the systems of rows with several outputs (RowFactors), by the identity of
/// Woodbury with U = Bᵀ(F ⊗ I):  (V − U (μI + UᵀU)⁻¹ UᵀV)/μ. The small matrix UᵀU = Σᵢ Wᵢ ⊗ FᵢFᵢᵀ, Wᵢ =
/// BᵢBᵢᵀ, has a block for each pair of outputs, whose coupling an inverse made for their average misses.
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

class LowRankInverse final : public Inverse {
 public:
  /// `features` must outlive this.
  LowRankInverse(const FeatureOperator& features, int threads, const Progress& progress)
      : features_(features), threads_(threads), progress_(progress) {}

  bool prepare(std::span<const double> s, double mu) override;
  bool prepare(const RowFactors& factors, double mu) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;

  double mu() const noexcept { return mu_; }
  /// tr (μI + Φᵀ S² Φ)⁻¹, where μ > 0.
  double small_trace() const;
  /// Of S K S, to rounding; known where μ = 0.
  std::size_t rank() const noexcept;

 private:
  bool prepare_least_norm();

  const FeatureOperator& features_;
  int threads_;
  Progress progress_;
  std::vector<double> s_;
  double mu_ = -1;
  Buffer<double> small_;                   // Φᵀ S² Φ
  bool rough_ = false;                     // how it was made
  Buffer<double> L_;                       // the Cholesky factor of μI + Φᵀ S² Φ
  Eigen eigen_;                            // of Φᵀ S² Φ, where μ = 0
  std::optional<CoupledInverse> coupled_;  // where rows have several outputs
};

}  // namespace mercer
