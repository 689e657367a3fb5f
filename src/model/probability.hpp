// Probabilities of what a model predicts, calibrated on scores.
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// Fits the model's sigmoids, or the scale of its noise: each row's scores come from a fit on the folds that
/// the row is not in. Folds are the options', or stratified ones that depend on the seed alone. Throws
/// Error{data} where a class, or a regression, has a single row. Of novelty: the density marks, from the
/// rows' own scores.
void calibrate(Model& model, const Training& training);

/// n × 2, inside and outside.
std::vector<double> inside_probabilities(const Model& model, std::span<const double> scores);
/// n × classes, from Predictions::scores of pairs.
std::vector<double> class_probabilities(const Model& model, std::span<const double> scores);

}  // namespace mercer
