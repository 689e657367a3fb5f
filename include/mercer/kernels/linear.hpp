#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = xᵀz
struct Linear {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view formula = "xᵀz";
  static constexpr std::string_view summary = "the inner product; try it first";
  static constexpr KernelSearch search[] = {
      {"linear"}, {.kernel = "normalize(linear)", .domain = Domain::symbols, .rank = 2}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .series = true, .dot_power = true, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true}; }
  Series series(int) const { return {.coefficients = {0, 1}}; }
  DotPower dot_power() const { return {}; }
  Symbol operator()(Symbol dot) const { return dot; }
};
inline constexpr Maker<Linear> linear;

}  // namespace mercer
