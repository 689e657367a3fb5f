#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−γ Σ (xₖ − zₖ)² / (xₖ + zₖ)) on histograms, 0/0 = 0.            Zhang, Marszałek et al. 2007
struct Chi2 {
  static constexpr std::string_view name = "chi2";
  static constexpr std::string_view formula = "exp(−gamma·Σ (xₖ−zₖ)²/(xₖ+zₖ)), x, z ≥ 0";
  static constexpr std::string_view summary = "histograms compared by the χ² distance";
  static constexpr LeafTraits traits{.statistic = Statistic::coordinate_sum, .non_negative_only = true};
  double gamma = 1;
  static void params(auto&& param) {
    param("gamma", &Chi2::gamma, positive, "inverse width", Role::inverse_length);
  }
  Properties properties() const { return {.psd = true, .bound = 1, .diagonal = 1}; }
  Symbol coordinate(Symbol x, Symbol z) const {
    const Symbol difference = x - z;
    return difference * difference / max(x + z, 1e-30);  // the bound only serves 0/0
  }
  Symbol operator()(Symbol sum) const { return exp(-gamma * sum); }
};
inline constexpr Maker<Chi2> chi2;

}  // namespace mercer
