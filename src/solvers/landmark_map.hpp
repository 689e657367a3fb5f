// Nyström features of many rows, for solvers that compute them again in each pass (operators/
// landmark_features.hpp): what takes memory is the factor of K_ZZ, m × m, whatever n is.
//
// The landmarks are chosen among a sample of max(4m, 40,000) rows, or of as many as the memory allows: the
// randomly pivoted Cholesky factor that is thrown away afterwards has a column for each. Landmarks that the
// others span nearly, so that K_ZZ = LLᵀ would lose digits, are left out.
#pragma once

#include <memory>
#include <string>

#include "mercer/feature_map.hpp"
#include "operators/row_map.hpp"
#include "solvers/map_name.hpp"

namespace mercer {

struct LandmarkMap {
  std::shared_ptr<const RowMap> map;  ///< with a landmark_form()
  double trace_left = 0;              ///< Σ left out / Σ k(x, x) over the rows chosen among
};

/// Bytes that making the map takes, with landmarks chosen among as few rows as makes sense.
std::size_t landmark_bytes(const MapName& name, std::size_t rows);
/// The same with as many rows as so much memory allows.
std::size_t landmark_bytes(const MapName& name, std::size_t rows, std::size_t memory);

/// `kernel`: resolved. Throws as FeatureMap::make() does; Error{out_of_memory} names the least that would do.
LandmarkMap make_landmark_map(const MapName& name, const Kernel& kernel, const Points& points,
                              const FeatureMapOptions& options);

}  // namespace mercer
