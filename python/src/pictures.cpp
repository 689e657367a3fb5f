// Pictures are SVG text, the report a page of HTML; python/mercer/pictures.py wraps them.
#include "arrays.hpp"
#include "mercer/automatic.hpp"
#include "mercer/file.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "mercer/pictures.hpp"
#include "mercer/report.hpp"
#include "parts.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

using Quality = std::string (*)(const Target&, const Predictions&, const std::string&);

// How good a model's answers about rows are, by the name of the command line's picture.
std::string quality(const std::string& kind, const Model& model, const Dataset& data,
                    const std::string& title, int threads, const py::object& listener) {
  const std::pair<std::string_view, Quality> kinds[] = {{"roc", roc_picture},
                                                        {"precision-recall", precision_recall_picture},
                                                        {"calibration", calibration_picture},
                                                        {"confusion", confusion_picture},
                                                        {"residuals", residual_picture}};
  for (const auto& [name, picture] : kinds)
    if (kind == name)
      return run(listener, [&](const Progress& progress) {
        return picture(data.target, model.predict(data.points, threads, progress), title);
      });
  throw py::value_error("there is no picture " + kind);
}

std::string regions(const Model& model, const Dataset& data, const std::string& projection,
                    std::vector<std::string> columns, const std::string& title, int threads,
                    const py::object& listener) {
  return run(listener, [&](const Progress& progress) {
    return regions_picture(model, data,
                           {.title = title,
                            .projection = projection_named(projection),
                            .columns = std::move(columns),
                            .threads = threads,
                            .progress = progress});
  });
}

std::string curve(const Model& model, const Dataset& data, const std::string& column,
                  const std::string& title, int threads, const py::object& listener) {
  return run(listener, [&](const Progress& progress) {
    return curve_picture(std::span(&model, 1), data,
                         {.title = title, .column = column, .threads = threads, .progress = progress});
  });
}

using OfKernel = std::string (*)(const Kernel&, const Dataset&, const KernelPictureOptions&);

template <OfKernel picture>
std::string of_kernel(const Kernel& kernel, const Dataset& data, const std::string& title, int threads,
                      const py::object& listener) {
  return run(listener, [&](const Progress& progress) {
    return picture(kernel, data, {.title = title, .threads = threads, .progress = progress});
  });
}

std::string matrix(const py::array_t<double, py::array::c_style | py::array::forcecast>& values,
                   const Target& target, const std::string& title) {
  if (values.ndim() != 2) throw py::value_error("a matrix has two dimensions");
  const std::size_t rows = std::size_t(values.shape(0)), columns = std::size_t(values.shape(1));
  if (target.task != Task::none)
    return matrix_picture_by_class(Points::borrow(rows, columns, std::span(values.data(), rows * columns),
                                                  std::make_shared<Kept>(values)),
                                   target, title);
  const std::vector<float> narrow(values.data(), values.data() + values.size());
  return matrix_picture(narrow, rows, columns, {.title = title});
}

std::string automatic_page(const AutomaticFit& fit, const Dataset& data, const std::string& name,
                           std::uint64_t seed, int threads, const py::object& listener) {
  return run(listener, [&](const Progress& progress) {
    return report_page(
        {.data = data, .fit = fit, .name = name, .seed = seed, .threads = threads, .progress = progress});
  });
}

}  // namespace

void add_pictures(py::module_& module) {
  const auto title = py::arg("title") = "";
  const auto threads = py::arg("threads") = 0;
  const auto listener = py::arg("listener") = py::none();
  module.def("quality_picture", &quality, py::arg("kind"), py::arg("model"), py::arg("data"),
             py::arg("title"), threads, listener);
  module.def("regions_picture", &regions, py::arg("model"), py::arg("data"),
             py::arg("projection") = "columns", py::arg("columns") = std::vector<std::string>{}, title,
             threads, listener);
  module.def("curve_picture", &curve, py::arg("model"), py::arg("data"), py::arg("column") = "", title,
             threads, listener);
  module.def("components_picture", &of_kernel<components_picture>, py::arg("kernel"), py::arg("data"), title,
             threads, listener);
  module.def("gram_picture", &of_kernel<gram_picture>, py::arg("kernel"), py::arg("data"), title, threads,
             listener);
  module.def("matrix_picture", &matrix, py::arg("values"), py::arg("target") = Target(), title);
  module.def("write_file", &write_file, py::arg("path"), py::arg("text"));
  module.def("report_page", &automatic_page, py::arg("fit"), py::arg("data"), py::arg("name") = "",
             py::arg("seed") = 1, threads, listener);
}

}  // namespace mercer::python
