#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ min(xₖ, zₖ) on histograms, x, z ≥ 0.                               Barla, Odone & Verri 2003
struct Intersection {
  static constexpr std::string_view name = "intersection";
  static constexpr std::string_view formula = "Σ min(xₖ, zₖ), x, z ≥ 0";
  static constexpr std::string_view summary = "histogram intersection";
  static constexpr KernelSearch search[] = {
      {.kernel = "normalize(intersection)", .domain = Domain::symbols, .rank = 1}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::coordinate_sum, .non_negative_only = true, .of_sets = true, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true}; }
  Symbol coordinate(Symbol x, Symbol z) const { return min(x, z); }
  Symbol operator()(Symbol sum) const { return sum; }
};
inline constexpr Maker<Intersection> intersection;

}  // namespace mercer
