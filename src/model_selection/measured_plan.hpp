// How long an automatic fit will take, measured on a few rows.
#pragma once

#include "model_selection/candidate_lines.hpp"

namespace mercer {

/// Evaluates a line of each space on a few hundred rows and carries that over to the rows of the search, its
/// refinement, the fit on all rows and its assessment.
double measured_seconds(const std::vector<SearchSpace>& spaces, const Dataset& data, const Points& scaled,
                        const TuneOptions& tune);

}  // namespace mercer
