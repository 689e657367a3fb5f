// Between Python and the library: arrays, which are not copied where both lay them out alike, targets,
// objects, options and notes; and the parts of the module.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "mercer/error.hpp"
#include "mercer/model.hpp"

namespace mercer::python {

namespace py = pybind11;
using namespace py::literals;  // "name"_a

/// Each file of this folder adds its own part.
using AddPart = void(py::module_& module);
AddPart add_points, add_objects, add_functions, add_losses, add_kernels, add_models, add_features, add_fits,
    add_pictures, add_hsic, add_cca;

/// Keeps a Python object alive as long as points read its memory, or a kernel calls it.
class Kept {
 public:
  explicit Kept(py::object object) : object_(std::move(object)) {}
  ~Kept() {
    const py::gil_scoped_acquire python;
    object_ = {};
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  const py::object& object() const noexcept { return object_; }  ///< only with Python's lock

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

/// An array of any layout and type, converted where it has to be.
template <class T>
using AnyArray = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::vector<T> to_vector(const AnyArray<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Dense points as an array over the same memory; sparse ones as (values, indices, starts, (rows, columns)),
/// scipy's order.
py::object points_to_python(const Points& points);

// --- What is to be learned: class numbers with the names of the classes, or numbers. ---

inline Target classes_target(const AnyArray<std::int32_t>& codes, std::vector<std::string> labels,
                             std::string name) {
  return {.task = Task::classification,
          .name = std::move(name),
          .labels = std::move(labels),
          .codes = to_vector(codes)};
}

inline Target real_target(const AnyArray<double>& values, std::string name) {
  const std::size_t outputs = values.ndim() == 2 ? std::size_t(values.shape(1)) : 1;
  return {.task = Task::regression, .name = std::move(name), .values = to_vector(values), .outputs = outputs};
}

/// Points and a target, with how a table became them. No weights: each row counts once.
inline Dataset dataset_of(const Points& points, const Target& target, const py::object& weights,
                          const Schema& schema) {
  Dataset data{.points = points, .target = target, .schema = schema};
  if (!weights.is_none()) data.weights = to_vector(weights.cast<AnyArray<double>>());
  return data;
}

// --- How it is to be fitted. ---

/// Keys: tolerance, threads, memory (bytes), seconds, shrinking, most_steps, solver, approx, seed,
/// class_weights (label → factor), balanced, allow_nonconvex, allow_indefinite,
/// repair, probabilities. KeyError for
/// others.
FitOptions fit_options(const py::dict& values);

/// The regularised risk with the loss and Ω of the program that are among the parameters.
AnyMethod risk_with(const py::dict& parameters);
/// A method with parameters by their names in the catalogue: numbers and words.
AnyMethod method_with(const std::string& name, const py::dict& parameters);

// --- Objects as tuples of arrays and texts, and back: what a pickle may hold. ---

py::tuple parts_of(const Objects& objects);
/// Error{data} where the parts contradict each other.
Objects objects_of(const py::tuple& parts);

// --- Hints and notes, as words.py takes them. ---

/// [(remedy, value), …]
inline py::list hints_of(const std::vector<Hint>& hints) {
  py::list list;
  for (const Hint& hint : hints) list.append(py::make_tuple(name_of(hint.remedy), hint.value));
  return list;
}

/// [(text, hints), …]
inline py::list notes_of(const std::vector<Note>& notes) {
  py::list list;
  for (const Note& note : notes) list.append(py::make_tuple(note.text, hints_of(note.hints)));
  return list;
}

/// [name, …]
inline std::vector<std::string> names_of(const std::vector<Domain>& domains) {
  std::vector<std::string> names;
  for (const Domain domain : domains) names.emplace_back(name_of(domain));
  return names;
}

}  // namespace mercer::python
