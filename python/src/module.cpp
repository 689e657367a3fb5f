// The module mercer._mercer: the library as Python sees it. It knows arrays, texts and dictionaries; what scikit-learn expects of an
// estimator is written in Python (python/mercer/).
#include <exception>

#include "mercer/doctor.hpp"
#include "mercer/error.hpp"
#include "mercer/version.hpp"
#include "parts.hpp"
#include "workers.hpp"

namespace {

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const mercer::Error& error) {
    PyObject* type = PyExc_ValueError;
    if (error.kind() == mercer::ErrorKind::budget) type = PyExc_MemoryError;
    if (error.kind() == mercer::ErrorKind::cancelled) type = PyExc_KeyboardInterrupt;
    PyErr_SetString(type, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_mercer, module) {
  using namespace mercer::python;
  module.doc() = "The engine behind the package mercer; use the package.";
  module.attr("version") = mercer::version();
  pybind11::register_exception_translator(translate);
  Workers::of_process().arrange();
  module.def("doctor", [] {
    pybind11::list found;
    for (const mercer::Finding& finding : mercer::doctor()) found.append(pybind11::make_tuple(finding.id, finding.label, finding.value));
    return found;
  });
  module.def("performance_warning", &mercer::performance_warning);
  add_points(module);
  add_objects(module);
  add_kernels(module);
  add_models(module);
  add_features(module);
  add_automatic(module);
  add_pictures(module);
}
