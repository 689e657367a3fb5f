// What is to be learned, from numpy: an array of class numbers with the classes' names, or numbers.
#pragma once

#include "arrays.hpp"
#include "mercer/dataset.hpp"

namespace mercer::python {

inline Target classes_target(
    const py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>& codes,
    std::vector<std::string> labels, std::string name) {
  return {.task = Task::classification,
          .name = std::move(name),
          .labels = std::move(labels),
          .codes = to_vector(codes)};
}

inline Target real_target(const py::array_t<double, py::array::c_style | py::array::forcecast>& values,
                          std::string name) {
  const std::size_t outputs = values.ndim() == 2 ? std::size_t(values.shape(1)) : 1;
  return {.task = Task::regression, .name = std::move(name), .values = to_vector(values), .outputs = outputs};
}

/// Points and a target, with how a table became them. No weights: each row counts once.
inline Dataset dataset_of(const Points& points, const Target& target, const py::object& weights,
                          const Schema& schema) {
  Dataset data{.points = points, .target = target, .schema = schema};
  if (!weights.is_none())
    data.weights = to_vector(weights.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>());
  return data;
}

}  // namespace mercer::python
