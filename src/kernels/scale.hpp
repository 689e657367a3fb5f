// `auto` and `median`: scale parameters that are computed from the points.
#pragma once

#include "mercer/leaf.hpp"

namespace mercer {

/// Whether a parameter is still a word, or a matrix still in its file.
bool has_words(const Leaf& leaf);

/// The leaf with its words replaced by numbers.
Kernel resolve_scales(const Leaf& leaf, const Points& points);

/// The length σ that a word stands for.
///   automatic: 2σ² = d·var(X), var over all entries, so that γ = 1/(d·var(X)) as scikit-learn's "scale";
///   median:    the median of ‖x − z‖ over distinct pairs of (at most 1000 evenly spaced) rows.
/// 1 where the points are all equal.
double length_of(Scale::Kind word, const Points& points);

}  // namespace mercer
