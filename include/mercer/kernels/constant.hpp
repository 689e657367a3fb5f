#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = c: valid, but every point looks like every other, so nothing can be learned from it alone.
struct Constant {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view formula = "c";
  static constexpr std::string_view summary =
      "the same for all pairs; adds a bias term to a sum, useless alone";
  static constexpr LeafTraits traits{.statistic = Statistic::none, .series = true};
  double c = 1;
  static void params(auto&& param) { param("c", &Constant::c, non_negative, "the value"); }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = c, .diagonal = c};
  }
  Series series(int) const { return {.coefficients = {c}}; }
  Symbol operator()(Symbol) const { return c; }
};
inline constexpr Maker<Constant> constant;

}  // namespace mercer
