// What a model is and how it came about, as JSON: the same objects for the command line's --json, the C
// interface and whoever reads them. Numbers that JSON does not have are the texts "Infinity", "-Infinity" and
// "NaN".
#pragma once

#include <string>

#include "mercer/automatic.hpp"

namespace MERCER_EXPORT mercer {

/// Method, parameters, kernel, classes, sizes, the weights where f is linear, and the report of the fit.
std::string json_of(const Model& model, HintWords words = plain_words);
/// Its hyperparameters: {"C": 10, "bias": "free"}
std::string json_of(const Method& method);
/// Converged or not, the certificate, the solver, diagnostics and warnings.
std::string json_of(const FitReport& report, HintWords words = plain_words);
/// How a model was selected and how good it is: metric, score, baseline, every trial.
std::string json_of(const AutomaticFit& made);

}  // namespace mercer
