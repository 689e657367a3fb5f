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

/// Whether the points of the model's expansion are the weights of its linear functions, in place of rows that
/// it learned from.
bool keeps_weights(const Model& model);

/// The same over the explicit features of a kernel: score = wᵀφ(x) + b, with φ of the scaled columns.
struct FeatureFunctions {
  std::vector<std::string> names;  ///< of the features: x1^2, x1*x2 …, as explicit_features() names them
  std::vector<LinearFunction> functions = {};
};
/// Empty where the model has linear_functions(), or its kernel no exact map of at most 10,000 features.
FeatureFunctions feature_functions(const Model& model);

}  // namespace mercer
