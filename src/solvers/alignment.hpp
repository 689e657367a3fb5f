// Which non-negative combination of kernels agrees best with a target: the centred alignment
//     ⟨HKH, YYᵀ⟩ / (‖HKH‖ ‖YYᵀ‖),   K = Σ vₘKₘ,  H = I − 11ᵀ/n,  Y the centred target,
// is largest at the v of  min vᵀMv − 2aᵀv  over v ≥ 0,  Mₖₗ = ⟨HKₖH, HKₗH⟩, aₖ = ⟨HKₖH, YYᵀ⟩.
//                                                     Cortes, Mohri & Rostamizadeh 2012, section 4.2 (alignf)
#pragma once

#include <span>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

/// The centred target of the chosen rows: rows × columns, one for each class (its indicator) or output.
std::vector<double> centred_target(const Target& target, std::span<const std::size_t> rows);

/// The inner products of centred Gram matrices with each other and with YYᵀ.
struct Alignments {
  std::vector<double> products;   ///< M, kernels × kernels
  std::vector<double> agreement;  ///< a, one for each kernel
  double target = 0;              ///< ‖YYᵀ‖²
};

/// Y: n × columns, of centred_target(). Memory: a strip of K for each kernel.
Alignments alignments(std::span<const Kernel> kernels, const Points& points, std::span<const double> Y,
                      int threads, const Progress& progress = {});

/// tr(HKH)/n: the mean squared distance from the mean in feature space.
double centred_variance(const Kernel& kernel, const Points& points, int threads);

/// The v ≥ 0 that minimises vᵀMv − 2aᵀv; M positive semidefinite, size × size. Of M and a as above, the
/// weights of greatest alignment up to a common factor, and all 0 where no kernel agrees with the target.
std::vector<double> non_negative_minimum(std::span<const double> M, std::span<const double> a);

}  // namespace mercer
