// Steps of tune() that the plan of an automatic fit shares. Successive halving: all candidates on a part of
// the rows, the better ones on more (Jamieson & Talwalkar 2016).
#pragma once

#include <optional>

#include "model_selection/cost.hpp"

namespace mercer {

/// The rows of each rung, each with four times as many as the one before.
std::vector<std::size_t> rungs(std::size_t rows, const TuneOptions& options);

/// How many of a rung's candidates go on to the next: the better quarter, but not fewer than four.
std::size_t kept_of(std::size_t candidates);

/// The seconds of the rungs after number `rung`, whose lines are given; which of them go on is not known yet.
double seconds_of_later_rungs(const CostModel& cost, const std::vector<CandidateLine>& lines,
                              const std::vector<std::size_t>& sizes, std::size_t rung);

/// A search with one candidate has nothing to compare: the candidate is taken as it is. None where there are
/// several. The one trial has been judged on no rows; its score and error are NaN. `scaled`: what the
/// kernel's `scale`, `auto` and `median` are resolved on. Refuses the options and data that tune() refuses.
std::optional<Search> only_candidate(const std::vector<SearchSpace>& spaces, const Dataset& data,
                                     const Points& scaled, const TuneOptions& options);

}  // namespace mercer
