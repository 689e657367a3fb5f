// The module mercer._mercer: the library as Python sees it. It knows arrays, texts and dictionaries; what
// scikit-learn expects of an estimator is written in Python (python/mercer/).
#include <exception>

#include "conversions.hpp"
#include "mercer/doctor.hpp"
#include "mercer/error.hpp"
#include "mercer/version.hpp"
#include "running.hpp"

namespace {

PyObject* exception_of(mercer::ErrorCode code) {
  using enum mercer::ErrorCode;
  if (code == out_of_memory) return PyExc_MemoryError;
  if (code == out_of_time) return PyExc_TimeoutError;
  if (code == missing_library) return PyExc_ImportError;
  if (code == file_access) return PyExc_OSError;
  return code == cancelled ? PyExc_KeyboardInterrupt : PyExc_ValueError;
}

/// The exception has the parts of the error as attributes: python/mercer/words.py says them in the words of
/// its classes.
void raise(const mercer::Error& error) {
  namespace py = pybind11;
  const mercer::ErrorDetails& details = error.details();
  const py::handle type(exception_of(error.code()));
  py::object value = type(error.what());
  value.attr("code") = mercer::name_of(error.code());
  value.attr("problem") = error.problem();
  value.attr("file") = details.file;
  value.attr("line") = details.line;
  value.attr("column") = details.column;
  value.attr("row") = details.row;
  value.attr("owner") = details.owner;
  value.attr("parameter") = details.parameter;
  value.attr("requirement") = details.requirement;
  value.attr("value") = details.value;
  value.attr("hint") = details.hint;
  value.attr("hints") = mercer::python::hints_of(details.hints);
  value.attr("excerpt") = details.excerpt;
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const mercer::Error& error) {
    raise(error);
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
    for (const mercer::Finding& finding : mercer::doctor())
      found.append(pybind11::make_tuple(finding.id, finding.label, finding.value));
    return found;
  });
  module.def("performance_warning", &mercer::performance_warning);
  for (AddPart* add : {add_points, add_objects, add_functions, add_losses, add_kernels, add_models,
                       add_features, add_fits, add_pictures, add_hsic, add_cca})
    add(module);
}
