#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"

#include "arrays.hpp"
#include "parts.hpp"
#include "running.hpp"
#include "targets.hpp"

namespace mercer::python {

void add_pictures(py::module_& module) {
  module.def("matrix_picture", [](const py::array_t<float, py::array::c_style | py::array::forcecast>& values, const std::string& title) {
    if (values.ndim() != 2) throw py::value_error("a matrix has two dimensions");
    return matrix_picture({values.data(), std::size_t(values.size())}, std::size_t(values.shape(0)), std::size_t(values.shape(1)), {.title = title});
  }, py::arg("values"), py::arg("title") = "");
}

}  // namespace mercer::python
