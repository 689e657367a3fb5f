// A model of the linear kernel is a plain function wᵀx + b of the columns: its weights, in the units of the
// data.
#pragma once

#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct LinearFunction {
  std::string subject;          ///< the output, the class, or "a against b" of a pair of classes
  std::vector<double> weights;  ///< w, one per column before scaling
  double intercept = 0;         ///< b
};

/// One for each score of the model, score = wᵀx + b. Empty where the scores are no linear functions of the
/// columns: another kernel than linear and its multiples, objects, a method that is no sum over its points,
/// or more than 100,000 columns.
std::vector<LinearFunction> linear_functions(const Model& model);

}  // namespace mercer
