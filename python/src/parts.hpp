// The parts of the module: each file of this folder adds its own.
#pragma once

#include <pybind11/pybind11.h>

namespace mercer::python {

void add_points(pybind11::module_& module);
void add_objects(pybind11::module_& module);
void add_kernels(pybind11::module_& module);
void add_models(pybind11::module_& module);
void add_features(pybind11::module_& module);
void add_automatic(pybind11::module_& module);
void add_pictures(pybind11::module_& module);

}  // namespace mercer::python
