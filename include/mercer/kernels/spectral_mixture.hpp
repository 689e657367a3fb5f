#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_q w_q exp(−2π² Σₖ v_qk τₖ²) cos(2π μ_qᵀτ), τ = x − z.                      Wilson & Adams 2013
/// By Bochner's theorem the kernel whose spectral density is a mixture of normal distributions with weights
/// w_q, means ±μ_q and variances v_q, in cycles per unit of each column. Any continuous translation-invariant
/// kernel is a limit of such mixtures, and a Gaussian process learns the mixture from its data.
struct SpectralMixture {
  static constexpr std::string_view name = "spectral_mixture";
  static constexpr std::string_view formula = "Σ_q w_q·exp(−2π²·Σₖ v_qk·τₖ²)·cos(2π·μ_qᵀτ), τ = x−z";
  static constexpr std::string_view summary =
      "a mixture of waves of random frequencies, which can continue patterns it has seen";
  static constexpr LeafTraits traits{.statistic = Statistic::none, .prepare = true, .composed = true};
  std::vector<double> weights = {1};
  Table means{{{1}}}, variances{{{1}}};
  static void params(auto&& param) {
    param("weights", &SpectralMixture::weights, positive, "w, one for each component, e.g. [1, 0.5]");
    param("means", &SpectralMixture::means, any_number,
          "μ, frequencies: [0.5, 2], one for each component, or of several columns [[0.5, 1], [2, 0]]");
    param("variances", &SpectralMixture::variances, positive, "v, of the frequencies, shaped as the means");
  }
  Properties properties() const;
  void prepare() const;  ///< throws Error{usage} where the lists do not fit together
  Kernel composed() const;
};
inline constexpr Maker<SpectralMixture> spectral_mixture;

}  // namespace mercer
