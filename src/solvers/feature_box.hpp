// The box problem of solvers/box_qp.hpp over features: K = ΦΦᵀ, and w = Φᵀβ says all that Kβ does, so that K
// is never needed.
//
// Two ways. Coordinate descent (solvers/linear_coordinate.hpp): a step costs a row of Φ, but how many steps
// there are depends on how badly conditioned the features are. Of few features, where some dozens of passes
// were not enough, an interior-point method (solvers/box_interior.hpp): a step costs n·p² whatever the
// features are, by Woodbury's identity (Ferris & Munson 2002)
//   (EΦΦᵀEᵀ + D)⁻¹r = D⁻¹(r − EΦ(I + ΦᵀSΦ)⁻¹ΦᵀEᵀD⁻¹r),    S = EᵀD⁻¹E,
// and there are a few dozen. Features of landmarks, computed again in each pass, have a way of their own
// (solvers/streamed_box.hpp).
#pragma once

#include "operators/row_features.hpp"
#include "solvers/smo.hpp"

namespace mercer {

struct FeatureBoxOptions {
  double tolerance = 1e-3;  ///< of the violation
  int threads = 0;
  std::uint64_t seed = 1;  ///< of the order in which descent visits variables
  Progress progress = {};
};

/// Whether features are so few that the interior-point method costs no more than many passes of descent.
bool suits_interior_point(const RowFeatures& features);

/// One group only. The certificate is from w, in float64; steps are those of either method, of descent visits
/// of single variables.
SmoResult solve_over_features(const BoxQp& problem, const RowFeatures& features,
                              const FeatureBoxOptions& options);

}  // namespace mercer
