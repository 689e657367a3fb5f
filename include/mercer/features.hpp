// Explicit feature maps φ with φ(x)ᵀφ(z) = k(x, z): every monomial with its weight. The dimension is counted
// without building anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

struct FeatureOptions {
  int terms = 8;         ///< how many terms of an infinite series (rbf, exponential, exp(k)) are kept
  bool ordered = false;  ///< x₁x₂ and x₂x₁ apart, without weights, instead of once with weight √2
  std::size_t memory = std::size_t(1) << 32;  ///< bytes that the features may take
  bool names = true;                          ///< the columns are named by their monomials
};

struct FeatureCount {
  std::optional<std::string> exact;  ///< in decimal digits, where it is below 2¹²⁸
  double log10 = 0;
  /// The map is infinite: these are the features of the first `terms` terms of its series.
  bool truncated = false;
};

/// The number of features for points of d columns, with these names where the kernel names columns.
/// Error{usage} where the kernel has no explicit map.
FeatureCount count_features(const Kernel& kernel, std::size_t d, const FeatureOptions& options = {},
                            const std::vector<std::string>& names = {});

/// φ of every point, dense float64; x1^2 names the column of √2·x1², say: weights are left out. Error{budget}
/// where it would not fit the memory.
Points explicit_features(const Kernel& kernel, const Points& points, const FeatureOptions& options = {});

}  // namespace mercer
