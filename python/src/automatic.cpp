#include "mercer/automatic.hpp"

#include "arrays.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "running.hpp"
#include "targets.hpp"

namespace mercer::python {

namespace {

py::dict estimate(const Estimate& e) {
  return py::dict(py::arg("value") = e.value, py::arg("low") = e.low, py::arg("high") = e.high);
}

py::list trials(const Search& search) {
  py::list list;
  for (const Trial& trial : search.trials) {
    py::dict values;
    const auto& axes = search.spaces[trial.space].axes;
    for (std::size_t a = 0; a < axes.size(); ++a) values[py::str(axes[a].parameter)] = trial.values[a];
    list.append(py::dict(py::arg("method") = trial.method->name(), py::arg("kernel") = trial.kernel.text(),
                         py::arg("values") = values, py::arg("rows") = trial.rows,
                         py::arg("score") = trial.score, py::arg("error") = trial.error));
  }
  return list;
}

/// Keys of `how` beside those of fit_options: method and parameters, kernel, scaling, metric, folds, repeats,
/// holdout, search.
AutomaticFit fit_by_choice(const Dataset& data, const py::dict& how, const py::dict& options,
                           const py::object& listener) {
  AutomaticOptions chosen;
  if (how.contains("method")) {
    const py::dict parameters = how.contains("parameters") ? how["parameters"].cast<py::dict>() : py::dict();
    chosen.method = method_with(how["method"].cast<std::string>(), parameters);
    for (const auto& [name, value] : parameters) chosen.fixed.push_back(name.cast<std::string>());
  }
  if (how.contains("kernel")) chosen.kernel = how["kernel"].cast<Kernel>();
  if (how.contains("scaling")) chosen.scaling = Scaling::kind_named(how["scaling"].cast<std::string>());
  if (how.contains("metric")) chosen.tune.metric = how["metric"].cast<std::string>();
  if (how.contains("folds")) chosen.tune.folds = how["folds"].cast<std::size_t>();
  if (how.contains("repeats")) chosen.tune.repeats = how["repeats"].cast<std::size_t>();
  if (how.contains("search")) chosen.search = how["search"].cast<bool>();
  if (how.contains("holdout")) chosen.holdout = how["holdout"].cast<double>();
  chosen.tune.fit = fit_options(options);
  return run(listener, [&](const Progress& progress) {
    chosen.tune.fit.progress = progress;
    chosen.fit_progress = progress;
    chosen.assessment_progress = progress;
    return fit_automatically(data, chosen);
  });
}

}  // namespace

void add_automatic(py::module_& module) {
  py::class_<Dataset>(module, "Dataset")
      .def(py::init(&dataset_of), py::arg("points"), py::arg("target"), py::arg("weights") = py::none(),
           py::arg("schema") = Schema());
  py::class_<AutomaticFit>(module, "AutomaticFit")
      .def(py::init(&fit_by_choice), py::arg("data"), py::arg("how") = py::dict(),
           py::arg("options") = py::dict(), py::arg("listener") = py::none())
      .def_readonly("model", &AutomaticFit::model)
      .def_readonly("metric", &AutomaticFit::metric)
      .def_readonly("scored_on", &AutomaticFit::scored_on)
      .def_property_readonly("score", [](const AutomaticFit& fit) { return estimate(fit.score); })
      .def_property_readonly("baseline", [](const AutomaticFit& fit) { return estimate(fit.baseline); })
      .def_property_readonly("trials", [](const AutomaticFit& fit) { return trials(fit.search); })
      .def_property_readonly("best", [](const AutomaticFit& fit) { return fit.search.best; })
      .def_property_readonly("cut_short", [](const AutomaticFit& fit) { return fit.search.cut_short; })
      .def_property_readonly("notes", [](const AutomaticFit& fit) { return notes_of(fit.notes); });
}

}  // namespace mercer::python
