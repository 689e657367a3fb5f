// What follows from scores by a method's rule: classes by votes or by the largest score, probabilities,
// numbers.
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// `scores`: rows × width. `classes`: 0 of numbers.
Predictions decide(Rule rule, std::size_t classes, std::size_t width, std::vector<double> scores);

}  // namespace mercer
