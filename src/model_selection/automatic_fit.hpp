// The fit that is kept after a search, within what the search has left of the time.
#pragma once

#include <chrono>

#include "mercer/automatic.hpp"
#include "model_selection/interruption.hpp"

namespace mercer {

using StartTime = std::chrono::steady_clock::time_point;

/// The options of fits after a search that began at `start`: what it has left of the time.
FitOptions for_fits(const AutomaticOptions& options, StartTime start, Progress progress);

/// A caller who stops it, or whose time is over, has a model all the same: of few rows it is finished, or
/// kept as it is after a while; of many the candidate is fitted on few of them.
Model fit_finally(const Trial& best, const Dataset& all, Scaling::Kind scaling,
                  const AutomaticOptions& options, StartTime start, Interruption& stop);

}  // namespace mercer
