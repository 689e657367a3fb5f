// Objects as tuples of arrays and texts, and back: what a pickle may hold.
#pragma once

#include <pybind11/pybind11.h>

#include "mercer/objects.hpp"

namespace mercer::python {

pybind11::tuple parts_of(const Objects& objects);
/// Error{data} where the parts contradict each other.
Objects objects_of(const pybind11::tuple& parts);

}  // namespace mercer::python
