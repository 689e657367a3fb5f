// Numbers between numpy and the library. They are not copied where both lay them out alike.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "mercer/points.hpp"

namespace mercer::python {

namespace py = pybind11;

/// Keeps a Python object alive as long as points read its memory.
class Kept {
 public:
  explicit Kept(py::object object) : object_(std::move(object)) {}
  ~Kept() {
    const py::gil_scoped_acquire python;
    object_ = {};
  }

 private:
  py::object object_;
};

/// The elements of a contiguous array.
template <class T>
std::span<const T> elements(const py::array_t<T, py::array::c_style>& array) {
  return {array.data(), std::size_t(array.size())};
}

/// An array that takes the numbers over. `shape`: none for one dimension.
template <class T>
py::array_t<T> to_array(std::vector<T> numbers, std::vector<std::size_t> shape = {}) {
  if (shape.empty()) shape = {numbers.size()};
  auto* owned = new std::vector<T>(std::move(numbers));
  const py::capsule owner(owned, [](void* block) { delete static_cast<std::vector<T>*>(block); });
  return py::array_t<T>(shape, owned->data(), owner);
}

/// As many rows as there are, of `width` numbers each.
template <class T>
py::array_t<T> to_rows(std::vector<T> numbers, std::size_t width) {
  const std::size_t rows = width == 0 ? 0 : numbers.size() / width;
  return to_array(std::move(numbers), {rows, width});
}

template <class T>
std::vector<T> to_vector(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Dense points as an array over the same memory; sparse ones as (values, indices, starts, (rows, columns)),
/// scipy's order.
py::object points_to_python(const Points& points);

}  // namespace mercer::python
