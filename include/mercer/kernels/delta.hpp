#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = 1 if x = z, else 0: valid, but no point is like any other, so nothing carries over to new ones.
struct Delta {
  static constexpr std::string_view name = "delta";
  static constexpr std::string_view formula = "1 if x = z, else 0";
  static constexpr std::string_view summary = "identity; adds a ridge to a sum, useless alone";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  static void params(auto&&) {}
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  Symbol operator()(Symbol d2) const { return is_zero(d2); }
};
inline constexpr Maker<Delta> delta;

}  // namespace mercer
