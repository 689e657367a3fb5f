// Whether a fit works with features in place of the kernel: as asked for, or where that costs less (F5:
// primal or dual).
//
// With D explicit features a step of the primal costs n·D², one of the dual about n²·(d + 64): products with
// K and its entries. Beyond the exact range, 300,000 rows, a restricted (Nyström) solution takes the place of
// the exact one.
#pragma once

#include <optional>

#include "mercer/feature_map.hpp"
#include "mercer/method.hpp"

namespace mercer {

struct FeatureChoice {
  std::optional<FeatureMap> map = {};  ///< none: the kernel itself
  std::string why = {};                ///< for the report
  bool beyond_exact = false;           ///< the exact solution was out of reach
};

/// Throws Error{usage} for a map that does not exist for the kernel, or beside --resume.
FeatureChoice choose_features(const Method& method, const Kernel& kernel, const Points& points,
                              const FitOptions& options);

}  // namespace mercer
