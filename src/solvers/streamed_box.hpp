// The box problem of solvers/box_qp.hpp over features that are computed again in each pass: hinge,
// ε-insensitive and pinball losses of any number of rows. In w = Φᵀβ it is the dual of
//
//   min over w, ρ of   ½‖w‖² + Σ_v max{β(ρ − s_v − wᵀφ_i(v)) : l_v ≤ β ≤ u_v} − ρΣβ⁰
//
// whose kinks are rounded off over a width μ: (μ/2(u − l))(β − (l + u)/2)² is taken from what is maximised
// (Nesterov 2005). What is left is smooth, and minimised by Newton's method (Chapelle 2007). Curvature comes
// from the rows within μ/2 of a kink alone, which are few: a step is a system over these
// (solvers/feature_system.hpp) and one pass over all rows. μ falls from step to step, down to half the
// tolerance; at the minimum no optimality condition is violated by more than μ.
//
// A sample of the rows, with bounds that much wider, is solved first; later only rows near a kink change, the
// others are looked at again in the end. β has its exact sum, and the
// certificate is that of all support vector machines, from two more passes in float64.
#pragma once

#include "solvers/feature_box.hpp"

namespace mercer {

/// One group only, without kinks. Steps are those of Newton's method; `evaluations` is the number of passes
/// over the rows times these and the features.
SmoResult stream_box(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options);

}  // namespace mercer
