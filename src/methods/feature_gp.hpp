// The Gaussian process of fewer features than rows: nothing of n × n is needed
// (FeatureEvidence of solvers/evidence.hpp).
#pragma once

#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "operators/row_features.hpp"

namespace mercer {

struct FeatureGp {
  double noise, variance;  ///< where the search begins, or as given; of the target
  bool optimised;
};

/// `features`: of the rows, and of the kind that points have, or of landmarks, over which the model then is:
/// with variances that know what the landmarks leave of k(x, x) (the projected process of Seeger, Williams &
/// Lawrence 2003). targets: n × outputs, without their means; ρ is
/// left to the caller.
Fitted fit_feature_gp(const Training& training, const Rows& rows, const RowFeatures& features,
                      std::span<const double> targets, std::size_t outputs, const FeatureGp& how,
                      Watch& watch);

}  // namespace mercer
