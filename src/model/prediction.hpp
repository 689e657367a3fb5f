// What follows from a method's outputs by its rule: classes by votes or by the largest score, probabilities,
// numbers.
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// −1 where there is one score for two classes: Predictions::scores are positive for the second class, as
/// scikit-learn's decision_function is; the outputs − ρ, and so model files, for the first, as LIBSVM's
/// decision values are. 1 elsewhere.
inline double score_sign(std::size_t classes, std::size_t width) noexcept {
  return classes == 2 && width == 1 ? -1 : 1;
}

/// `outputs`: rows × width, less ρ. `classes`: 0 of numbers.
Predictions decide(Rule rule, std::size_t classes, std::size_t width, std::vector<double> outputs);

}  // namespace mercer
