// Successive halving: all candidates on a part of the rows, the better ones on more (Jamieson & Talwalkar
// 2016).
#pragma once

#include "model_selection/cost.hpp"

namespace mercer {

/// The rows of each rung, each with four times as many as the one before.
std::vector<std::size_t> rungs(std::size_t rows, const TuneOptions& options);

/// How many of a rung's candidates go on to the next: the better quarter, but not fewer than four.
std::size_t kept_of(std::size_t candidates);

/// The seconds of the rungs after number `rung`, whose lines are given; which of them go on is not known yet.
double seconds_of_later_rungs(const CostModel& cost, const std::vector<CandidateLine>& lines,
                              const std::vector<std::size_t>& sizes, std::size_t rung);

}  // namespace mercer
