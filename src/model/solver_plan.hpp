// Primal or dual, and exact or approximate: the one place where that is decided, from what the method can do,
// the features that the kernel has, costs and memory.
//
// With p features a step of the primal costs n·p², one of the dual about n²·(d + 64): products with K and its
// entries. Columns and features of objects are taken where they are fewer than the rows. Beyond the exact
// range, 300,000 rows, a restricted (Nyström) solution takes the place of the exact one.
//
// Support vector machines need a part of K only, and their interior-point method takes some 30 steps of n·p²
// (solvers/feature_box.hpp): features are taken where p² is below (150 + n/100)·(d + 16), of 2,000 rows or
// more. Of features as many and sparse as those of texts, descent is faster than K from 1,000 rows on, of
// objects from 20,000. Their model is over the support vectors either way.
#pragma once

#include <memory>
#include <optional>

#include "mercer/feature_map.hpp"
#include "mercer/method.hpp"
#include "operators/row_features.hpp"

namespace mercer {

struct SolverPlan {
  std::shared_ptr<const RowFeatures> features = {};  ///< null: the dual, over K
  std::optional<FeatureMap> map = {};                ///< the model is over the features of this map
  std::string why = {};                              ///< for the report, where there is something to say
  bool beyond_exact = false;                         ///< the exact solution was out of reach
};

/// Throws Error{usage} for a map that does not exist for the kernel, or beside a warm start; Error{budget}
/// where what was asked for does not fit the memory.
SolverPlan plan_solver(const Method& method, const Kernel& kernel, const Points& points,
                       const FitOptions& options);

}  // namespace mercer
