// Primal or dual, and exact or approximate: the one place where that is decided, from what the method can do,
// the features that the kernel has, costs and memory.
//
// What is compared are operations, counted roughly (SolverCosts). Systems: n·p² over features, n²·(d + 64)
// over K: its entries and products with it. Columns and features of objects are taken where they are fewer
// than the rows. Beyond the exact range, 300,000 rows, a restricted (Nyström) solution takes the place of the
// exact one.
//
// Working sets need a part of K only, and the interior-point method over features takes some 30 steps of n·p²
// (solvers/feature_box.hpp), as many operations as 30·(150 + n/100) columns of K at d + 16 an entry; of fewer
// than 2,000 rows K takes a blink. Of features as many and sparse as those of texts, descent is faster than K
// from 1,000 rows on, of objects from 20,000. The model is over the support vectors either way.
//
// Nyström features of many rows, or of more than the memory holds, are computed again in each pass
// (solvers/feature_system.hpp): that takes less time than to hold them, and memory for p² numbers.
//
// Visits cost a row of Φ each, or a column of K where f changes: at one row in ten, say.
#pragma once

#include <memory>
#include <optional>

#include "mercer/feature_map.hpp"
#include "mercer/method.hpp"
#include "operators/row_features.hpp"
#include "solvers/map_name.hpp"

namespace mercer {

struct SolverPlan {
  std::shared_ptr<const RowFeatures> features = {};  ///< null: the dual, over K
  std::optional<FeatureMap> map = {};                ///< the model is over the features of this map
  /// The features are those of landmarks, computed again in each pass; the model is over the landmarks.
  std::optional<double> streamed_trace_left = {};  ///< then: what they leave of the trace
  std::string why = {};                            ///< for the report, where there is something to say
  bool beyond_exact = false;                       ///< the exact solution was out of reach

  /// The model is linear in the features; else it is over the points.
  bool over_features() const noexcept { return features && (map || streamed_trace_left); }
};

/// About what the two ways cost, in operations; what makes the choice where both are open.
struct SolverCosts {
  std::optional<std::size_t> features = {};  ///< of a finite map; none: there is no primal
  std::string none_because = {};             ///< then
  double primal = 0, dual = 0;
};
SolverCosts solver_costs(const Method& method, const Kernel& kernel, const Points& points,
                         const FitOptions& options);

/// Throws Error{usage} for a map that does not exist for the kernel, or beside a warm start; Error{budget}
/// where what was asked for does not fit the memory.
SolverPlan plan_solver(const Method& method, const Kernel& kernel, const Points& points,
                       const FitOptions& options);

// --- Nyström features that are computed again in each pass ---

/// Whether they are for this method, which must be linear in the features, and these rows.
bool streams_features(const Method& method, const MapName& name, const Points& points,
                      const FitOptions& options);
/// Whether it needs ΦᵀΦ of them, in float64: the Gaussian process, for its evidence and variances.
bool needs_normal_matrix(const Method& method);
/// Bytes that such a fit takes at least, with the data.
std::size_t streamed_bytes(const Method& method, const MapName& name, const Points& points);
/// Those that it takes where it may take so much memory: landmarks are then chosen among more rows.
std::size_t streamed_bytes(const Method& method, const MapName& name, const Points& points,
                           std::size_t memory);
/// The most landmarks that the memory has room for; 0 where it has for none.
std::size_t most_streamed_landmarks(const Method& method, LandmarkRule rule, const Points& points,
                                    std::size_t memory);
/// In MB, rounded up: what is named as enough is.
std::string megabytes_text(std::size_t bytes);
/// Error{out_of_memory} where they do not fit.
SolverPlan plan_passes(const Method& method, const MapName& name, const Kernel& kernel, const Points& points,
                       const FitOptions& options);
/// Whether the rows are too many for an exact solution: of systems by their number, else where they are on
/// disk.
bool beyond_exact(const Method& method, const Points& points);
/// How many landmarks are taken then, where nobody says: 4,000, or a half, quarter … that fits.
std::size_t landmarks_within(const Method& method, const Points& points, std::size_t memory);

}  // namespace mercer
