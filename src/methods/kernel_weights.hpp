// Multiple-kernel learning: the weights of mkl(k₁, …, k_M) that suit a target.
//
// The terms are brought to one scale, k̃ₘ = kₘ/sₘ with sₘ the mean squared distance from the mean in its
// feature space. Then
//     min over θ ≥ 0, ‖θ‖_p ≤ 1  of  min over f  loss(f) + penalty·‖f‖²,   ‖·‖ of the kernel Σ θₘk̃ₘ,
// is convex. With f = Σβᵢk(xᵢ, ·), qₘ = Σ βᵀK̃ₘβ over the outputs and ‖fₘ‖² = θₘ²qₘ, a round fits the method
// and moves θₘ towards
//     ‖fₘ‖^(2/(p+1)) / (Σ ‖fₗ‖^(2p/(p+1)))^(1/p).           Xu et al. 2010 (p = 1); Kloft et al. 2011, eq. 30
// The gradient of the inner minimum is −qₘ up to a factor, so θ is optimal where Σθₘqₘ reaches the most that
// any θ could give, ‖q‖_p*, 1/p + 1/p* = 1 (the largest qₘ where p = 1): bound = ‖q‖_p* / Σθₘqₘ − 1 certifies
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mercer/method.hpp"

namespace mercer {

struct KernelWeights {
  Kernel kernel;  ///< resolved: the sum of the terms with their weights stands in the place of mkl(…)
  std::vector<Kernel> terms = {};    ///< resolved, in the order of mkl(…)
  std::vector<double> weights = {};  ///< of each in the sum; 0 where it was left out
  std::vector<double> shares = {};   ///< of each in the variance of the sum in feature space: θₘ / Σθ
  std::size_t rounds = 0;  ///< fits of the method; 0 where the weights are those of greatest alignment
  double bound = 0;        ///< as above, of the weights found
  std::size_t rows = 0;    ///< learned from
  bool cut_short = false;  ///< by the time budget or by the caller
  double seconds = 0;
  std::vector<Note> warnings = {};
};

/// Σ βᵀKβ over the outputs of the expansion, for each of the kernels in the place of its own: the qₘ above.
/// Of its own kernel it is ‖f‖².
std::vector<double> norms_under(std::span<const Kernel> kernels, const Fitted& fitted, int threads);

/// Learns the weights of the mkl(…) in training.kernel, which need not be resolved. The weights of greatest
/// alignment come first; a method that penalises ‖f‖² goes on from them, within half of the time that the
/// options give. More than 4,000 rows: on a sample of each class, drawn from the seed, whose rows count as
/// many as they stand for. Throws Error{usage} where there is no target, and Error{data} where a term is 0 on
/// all rows.
KernelWeights learn_weights(const Method& method, const Training& training);

/// What the report of a fit says of them. `kept`: whether the fit took the kernel as it is; else the method
/// found numbers itself.
void add_weights(FitReport& report, const KernelWeights& learned, bool kept);

}  // namespace mercer
