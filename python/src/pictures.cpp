// Pictures are SVG text, the report a page of HTML; python/mercer/pictures.py wraps them.
#include "conversions.hpp"
#include "mercer/automatic.hpp"
#include "mercer/file.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "mercer/pictures.hpp"
#include "mercer/prior_picture.hpp"
#include "mercer/report.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

using Quality = std::string (*)(const Target&, const Predictions&, const std::string&);

// How good a model's answers about rows are, by the name of the command line's picture.
std::string quality(const std::string& kind, const Model& model, const Dataset& data,
                    const std::string& title, int threads) {
  const std::pair<std::string_view, Quality> kinds[] = {{"roc", roc_picture},
                                                        {"precision-recall", precision_recall_picture},
                                                        {"calibration", calibration_picture},
                                                        {"confusion", confusion_picture},
                                                        {"residuals", residual_picture}};
  for (const auto& [name, picture] : kinds)
    if (kind == name)
      return run([&](const Progress& progress) {
        return picture(data.target, model.predict(data.points, threads, progress), title);
      });
  throw py::value_error("there is no picture " + kind);
}

std::string regions(const Model& model, const Dataset& data, const std::string& projection,
                    std::vector<std::string> columns, const std::string& title, int threads) {
  return run([&](const Progress& progress) {
    return regions_picture(model, data,
                           {.title = title,
                            .projection = projection_named(projection),
                            .columns = std::move(columns),
                            .threads = threads,
                            .progress = progress});
  });
}

std::string curve(const Model& model, const Dataset& data, const std::string& column,
                  const std::string& title, int threads) {
  return run([&](const Progress& progress) {
    return curve_picture(std::span(&model, 1), data,
                         {.title = title, .column = column, .threads = threads, .progress = progress});
  });
}

template <auto picture>
std::string of_kernel(const Kernel& kernel, const Dataset& data, const std::string& title, int threads) {
  return run([&](const Progress& progress) {
    return picture(kernel, data, {.title = title, .threads = threads, .progress = progress});
  });
}

std::string matrix(const AnyArray<double>& values, const Target& target, const std::string& title) {
  if (values.ndim() != 2) throw py::value_error("a matrix has two dimensions");
  const std::size_t rows = std::size_t(values.shape(0)), columns = std::size_t(values.shape(1));
  if (target.task != Task::none)
    return matrix_picture_by_class(Points::borrow(rows, columns, std::span(values.data(), rows * columns),
                                                  std::make_shared<Kept>(values)),
                                   target, title);
  const std::vector<float> narrow(values.data(), values.data() + values.size());
  return matrix_picture(narrow, rows, columns, {.title = title});
}

std::string prior(const Kernel& kernel, double low, double high, std::size_t samples, std::uint64_t seed,
                  const std::string& title) {
  return run([&](const Progress&) {
    return prior_picture(kernel,
                         {.title = title, .low = low, .high = high, .samples = samples, .seed = seed});
  });
}

std::string automatic_page(const AutomaticFit& fit, const Dataset& data, const std::string& name,
                           std::uint64_t seed, int threads) {
  return run([&](const Progress& progress) {
    return report_page(
        {.data = data, .fit = fit, .name = name, .seed = seed, .threads = threads, .progress = progress});
  });
}

}  // namespace

void add_pictures(py::module_& module) {
  const auto title = "title"_a = "";
  const auto threads = "threads"_a = 0;
  module.def("quality_picture", &quality, "kind"_a, "model"_a, "data"_a, "title"_a, threads);
  module.def("regions_picture", &regions, "model"_a, "data"_a, "projection"_a = "columns",
             "columns"_a = std::vector<std::string>{}, title, threads);
  module.def("curve_picture", &curve, "model"_a, "data"_a, "column"_a = "", title, threads);
  module.def("components_picture", &of_kernel<components_picture>, "kernel"_a, "data"_a, title, threads);
  module.def("gram_picture", &of_kernel<gram_picture>, "kernel"_a, "data"_a, title, threads);
  module.def("matrix_picture", &matrix, "values"_a, "target"_a = Target(), title);
  module.def("prior_picture", &prior, "kernel"_a, "low"_a, "high"_a, "samples"_a, "seed"_a, title);
  module.def("write_file", &write_file, "path"_a, "text"_a);
  module.def("report_page", &automatic_page, "fit"_a, "data"_a, "name"_a = "", "seed"_a = 1, threads);
}

}  // namespace mercer::python
