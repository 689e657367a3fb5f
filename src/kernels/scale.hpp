// `scale`, `auto` and `median`: scale parameters that are computed from the points.
#pragma once

#include "mercer/leaf.hpp"

namespace mercer {

/// Whether a parameter is still a word such as scale, or what a file holds is not read yet.
bool has_words(const Leaf& leaf);

/// The leaf with its words replaced by numbers and its files read. Error{data} where the points have words
/// that the file does not.
Kernel resolve_scales(const Leaf& leaf, const Points& points);

/// The word as it is written, and the other way round; none where it is no such word.
std::string_view text_of(Scale::Kind word);
std::optional<Scale::Kind> scale_kind(std::string_view text);

/// 2σ² of the length σ that a word stands for.
///   scale:     d·var(X), var over all entries, so that γ = 1/(d·var(X)); 1 where that is 0;
///   automatic: d, so that γ = 1/d;
///   median:    σ is the median of ‖x − z‖ over distinct pairs of (at most 1000 evenly spaced) rows; 1 where
///              the points are all equal.
/// The first two are what scikit-learn's words "scale" and "auto" stand for.
double twice_squared_length(Scale::Kind word, const Points& points);

}  // namespace mercer
