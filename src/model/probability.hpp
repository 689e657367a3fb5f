// Probabilities of a model's classes: calibrated on scores of rows that were not learned from.
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// Fits the model's sigmoids: each row's scores come from a fit on the folds that the row is not in. Folds are
/// stratified and depend on the seed alone. Throws Error{data} where a class has a single row.
void calibrate(Model& model, const Training& training);

/// n × classes, from scores of pairs.
std::vector<double> class_probabilities(const Model& model, std::span<const double> scores);

}  // namespace mercer
