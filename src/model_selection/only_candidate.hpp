// A search with one candidate has nothing to compare: the candidate is taken as it is.
#pragma once

#include <optional>

#include "mercer/tune.hpp"

namespace mercer {

/// None where there are several. The one trial has been judged on no rows; its score and error are NaN.
/// `scaled`: what the kernel's `scale`, `auto` and `median` are resolved on. Refuses the options and data
/// that tune() refuses.
std::optional<Search> only_candidate(const std::vector<SearchSpace>& spaces, const Dataset& data,
                                     const Points& scaled, const TuneOptions& options);

}  // namespace mercer
