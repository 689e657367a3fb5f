// The evidence of a Gaussian process with p outputs whose covariance is B_ij·k(x, z), B = WWᵀ + diag(κ), and
// whose noise is d_j/w at a row of weight w (Bonilla, Chai & Williams 2008). With Σ the covariance of the
// targets observed and α = Σ⁻¹y,
//
//   log p(y) = −½ yᵀα − ½ log|Σ| − N/2·log 2π,     ∂/∂t = ½ tr (ααᵀ − Σ⁻¹) ∂Σ/∂t.
//
// Where every output of every row is observed, Σ = B⊗K + D⊗diag(1/w), and D^(−½)BD^(−½) = UΛUᵀ turns it into
// p systems of the rows, A_l = λ_l·K + diag(1/w), one for each column of Y·D^(−½)U (Stegle et al. 2011): p·n³
// in place of (pn)³. Otherwise Σ of the N numbers there are is factored whole.
//
// Both ways end in the same three sums, from which every derivative follows: of (ααᵀ − Σ⁻¹)/2 over the
// outputs, weighted by B (n × n, for the kernel); over the rows, weighted by K (H, p × p: ∂/∂W = 2HW, ∂/∂κ =
// diag H); and over the noise.
#pragma once

#include "solvers/evidence.hpp"

namespace mercer {

class CoregionalEvidence : public LogEvidence {
 public:
  struct Data {
    Points points;
    std::vector<double> targets;  // n × outputs, row-major; NaN: not observed
    std::size_t outputs = 1;
    std::vector<double> noise_factors;  // n: 1/w
    std::size_t rank = 1;
  };
  CoregionalEvidence(Data data, KernelCoordinates coordinates, int threads, const Progress& progress);

  /// t: the coordinates of the kernel, W (outputs × rank), log κ and log noise (outputs each).
  std::optional<double> value(std::span<const double> t, std::span<double> gradient = {}) override;
  std::size_t rows() const noexcept override { return data_.points.rows(); }
  std::unique_ptr<LogEvidence> of_rows(std::span<const std::size_t> rows) const override;

  const Data& data() const noexcept { return data_; }
  bool complete() const noexcept { return observed_.size() == data_.targets.size(); }
  std::size_t observed() const noexcept { return observed_.size(); }
  std::vector<double> mixing(std::span<const double> t) const;  ///< B, outputs × outputs
  std::vector<double> noise(std::span<const double> t) const;   ///< outputs

  /// Of the last evaluation: Σ⁻¹y, n × outputs, 0 where nothing is observed.
  const std::vector<double>& alpha() const noexcept { return alpha_; }
  /// f_j(x) = Σᵢ k(xᵢ, x)·coefficients[i, j]; n × outputs.
  std::vector<double> coefficients() const;
  /// P of each output, outputs × n × n: var f_j(x) = B_jj·k(x, x) − k(x)ᵀ P_j k(x).
  std::vector<double> precision() const;

  /// What an evaluation takes, beside the data.
  double bytes() const;

 private:
  Error no_value(std::span<const double> t) const override;
  bool solve_rotated();
  bool solve_whole();
  void sum_rotated();
  void sum_whole();

  Data data_;
  std::vector<std::size_t> observed_;  // row·outputs + output
  // Of the last evaluation.
  std::vector<double> B_, noise_;
  Buffer<double> K_;                          // n × n
  std::vector<double> alpha_;                 // n × outputs
  double value_ = 0;                          // log p
  std::vector<double> U_, lambda_, rotated_;  // of D^(−½)BD^(−½); α·D^½U, n × outputs
  std::vector<Buffer<double>> inverses_;      // A_l⁻¹, or Σ⁻¹ alone
  Buffer<double> scratch_;
  std::vector<double> kernel_weights_, H_, by_noise_;  // the three sums
};

}  // namespace mercer
