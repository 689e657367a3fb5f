// How a fit is to be made, from a dictionary.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "mercer/model.hpp"

namespace mercer::python {

/// Keys: tolerance, threads, memory (bytes), seconds, shrinking, most_steps, solver, approx, seed,
/// class_weights (label → factor), balanced, allow_indefinite, probabilities. KeyError for others.
FitOptions fit_options(const pybind11::dict& values);

/// A method with parameters by their names in the catalogue: numbers and words.
AnyMethod method_with(const std::string& name, const pybind11::dict& parameters);

}  // namespace mercer::python
