#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−λ‖x − z‖₁): a product of one-dimensional Laplace kernels.
struct Manhattan {
  static constexpr std::string_view name = "manhattan";
  static constexpr std::string_view formula = "exp(−lambda·‖x−z‖₁)";
  static constexpr std::string_view summary = "Laplace in the L1 distance (scikit-learn's laplacian)";
  static constexpr LeafTraits traits{.statistic = Statistic::coordinate_sum, .spectral = true};
  double lambda = 1;
  static void params(auto&& param) { param("lambda", &Manhattan::lambda, positive, "inverse width"); }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .bound = 1, .diagonal = 1};
  }
  Symbol coordinate(Symbol x, Symbol z) const { return abs(x - z); }
  Spectral spectral() const {  // independent Cauchy coordinates
    return {
        .scale = lambda, .variance = Spectral::Variance::inverse_gamma, .shape = 0.5, .independent = true};
  }
  Symbol operator()(Symbol distance) const { return exp(-lambda * distance); }
};
inline constexpr Maker<Manhattan> manhattan;

}  // namespace mercer
