// Soft-margin SVMs with the linear kernel on many sparse rows, or on many objects whose kernel is a dot
// product of sparse features: coordinate descent on w itself, without the Gram matrix.
#pragma once

#include <functional>
#include <optional>

#include "operators/row_features.hpp"
#include "mercer/fit.hpp"

namespace mercer {

/// The features over which weights are found faster here than coefficients: of many rows, sparse and wide, or
/// of many objects. None otherwise.
std::optional<RowFeatures> weight_features(const Training& training);

/// A C-SVC for each pair of classes; `penalty(rows)` is the C of a pair with so many rows. Where features are
/// columns the expansion has one point a pair: its w. Of objects it has the support vectors.
Fitted fit_linear_pairs(const Training& training, const RowFeatures& features,
                        const std::function<double(std::size_t rows)>& penalty);

}  // namespace mercer
