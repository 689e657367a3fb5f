#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ min(xₖ, zₖ) / Σ max(xₖ, zₖ), x, z ≥ 0: |A∩B| / |A∪B| of sets; 0 where both are empty.
/// Jaccard 1901; valid: Ralaivola, Swamidass, Saigo & Baldi 2005
struct Jaccard {
  static constexpr std::string_view name = "jaccard";
  static constexpr std::string_view formula = "Σ min(xₖ, zₖ) / Σ max(xₖ, zₖ), x, z ≥ 0";
  static constexpr std::string_view summary =
      "size of the intersection over size of the union of two sets or histograms";
  static constexpr KernelSearch search[] = {{.kernel = "jaccard", .domain = Domain::symbols}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::coordinate_sum, .non_negative_only = true, .of_sets = true, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true, .bound = 1}; }
  Symbol coordinate(Symbol x, Symbol z) const { return min(x, z); }
  Symbol operator()(Symbol sum, Symbol xx, Symbol zz) const {
    return sum / max(xx + zz - sum, 1e-30);  // max(x, z) = x + z − min(x, z); the bound only serves 0/0
  }
};
inline constexpr Maker<Jaccard> jaccard;

}  // namespace mercer
