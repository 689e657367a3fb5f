// Fits: of a method and a kernel that are given, and of those that a search selects.
#include <map>
#include <tuple>

#include "conversions.hpp"
#include "mercer/loss.hpp"
#include "mercer/automatic.hpp"
#include "mercer/plan.hpp"
#include "mercer/user_kernel.hpp"
#include "running.hpp"

namespace mercer::python {
namespace {

py::dict estimate(const Estimate& e) {
  return py::dict("value"_a = e.value, "low"_a = e.low, "high"_a = e.high);
}

py::list trials(const Search& search) {
  py::list list;
  for (const Trial& trial : search.trials) {
    py::dict values;
    const auto& axes = search.spaces[trial.space].axes;
    for (std::size_t a = 0; a < axes.size(); ++a) values[py::str(axes[a].parameter)] = trial.values[a];
    list.append(py::dict("method"_a = trial.method->name(), "kernel"_a = trial.kernel.text(),
                         "values"_a = values, "rows"_a = trial.rows, "score"_a = trial.score,
                         "error"_a = trial.error));
  }
  return list;
}

/// Keys of `how` beside those of fit_options: method and parameters, kernel, scaling, metric, folds,
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

// A model that keeps rows of the caller's array would change with it.
void own_points(Model& model) {
  Points& points = model.fitted.expansion.points;
  if (!points.borrowed()) return;
  std::vector<std::size_t> all(points.rows());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  points = points.select_rows(all);
}

Model fit_model(const AnyMethod& method, const Kernel& kernel, const Points& points, const Target& target,
                const py::object& weights, const Schema& schema, const py::dict& how,
                const std::string& scaling, const py::object& listener, const Model* resume) {
  const Dataset data = dataset_of(points, target, weights, schema);
  FitOptions options = fit_options(how);
  const auto work = [&](const Progress& progress) {
    options.progress = progress;
    options.resume = resume;
    Model model = fit(method, kernel, data, options, Scaling::kind_named(scaling));
    own_points(model);
    return model;
  };
  const bool here = listener.is_none() && is_brief_fit(points) && user_functions(kernel).empty();
  return here ? run_here(work) : run(listener, work);
}

py::dict plan_of(const AnyMethod& method, const Kernel& kernel, const Points& points, const Target& target,
                 const py::object& weights, const py::dict& how) {
  const Dataset data = dataset_of(points, target, weights, {});
  const FitOptions options = fit_options(how);
  const PlanExplanation e =
      run(py::none(), [&](const Progress&) { return explain_plan(method, kernel, data, options); });
  const bool primal = e.plan.way == FitPlan::Way::primal;
  return py::dict("solver"_a = primal ? "primal" : "dual", "why"_a = e.why, "features"_a = e.features,
                  "primal"_a = e.features ? py::cast(e.primal) : py::none(), "dual"_a = e.dual,
                  "no_primal"_a = e.no_primal);
}

}  // namespace

FitOptions fit_options(const py::dict& values) {
  FitOptions o;
  const std::map<std::string, std::function<void(const py::handle&)>> setters{
      {"tolerance", [&](const py::handle& v) { o.tolerance = v.cast<double>(); }},
      {"threads", [&](const py::handle& v) { o.threads = v.cast<int>(); }},
      {"memory", [&](const py::handle& v) { o.memory = v.cast<std::size_t>(); }},
      {"seconds", [&](const py::handle& v) { o.seconds = v.cast<double>(); }},
      {"shrinking", [&](const py::handle& v) { o.shrinking = v.cast<bool>(); }},
      {"most_steps", [&](const py::handle& v) { o.most_steps = v.cast<std::size_t>(); }},
      {"solver", [&](const py::handle& v) { o.solver = v.cast<std::string>(); }},
      {"approx", [&](const py::handle& v) { o.approx = v.cast<std::string>(); }},
      {"seed", [&](const py::handle& v) { o.seed = v.cast<std::uint64_t>(); }},
      {"class_weights",
       [&](const py::handle& v) { o.class_weights = v.cast<std::vector<std::pair<std::string, double>>>(); }},
      {"balanced", [&](const py::handle& v) { o.balanced = v.cast<bool>(); }},
      {"bounds",
       [&](const py::handle& v) {
         for (const auto& [name, low, high] : v.cast<std::vector<std::tuple<std::string, double, double>>>())
           o.bounds.push_back({name, low, high});
       }},
      {"allow_nonconvex", [&](const py::handle& v) { o.allow_nonconvex = v.cast<bool>(); }},
      {"repair", [&](const py::handle& v) { o.repair = v.cast<std::string>(); }},
      {"allow_indefinite", [&](const py::handle& v) { o.allow_indefinite = v.cast<bool>(); }},
      {"probabilities", [&](const py::handle& v) { o.probabilities = v.cast<bool>(); }}};
  for (const auto& [key, value] : values) {
    const auto found = setters.find(key.cast<std::string>());
    if (found == setters.end()) throw py::key_error(key.cast<std::string>());
    found->second(value);
  }
  return o;
}

AnyMethod method_with(const std::string& name, const py::dict& parameters) {
  AnyMethod method = name == "rerm" ? risk_with(parameters) : method_named(name);
  for (const auto& [key, value] : parameters) {
    const std::string parameter = key.cast<std::string>();
    if (py::isinstance<AnyLoss>(value) || py::isinstance<Regularizer>(value)) continue;
    if (value.is_none())
      method->set(parameter, Word{std::string(not_given)});
    else if (py::isinstance<py::str>(value))
      method->set(parameter, Word{value.cast<std::string>()});
    else
      method->set(parameter, value.cast<double>());
  }
  return method;
}

void add_fits(py::module_& module) {
  py::class_<AnyMethod>(module, "Method")
      .def(py::init(&method_with), "name"_a, "parameters"_a = py::dict())
      .def_property_readonly("name", [](const AnyMethod& method) { return method->name(); });
  py::class_<Dataset>(module, "Dataset")
      .def(py::init(&dataset_of), "points"_a, "target"_a, "weights"_a = py::none(), "schema"_a = Schema());
  py::class_<AutomaticFit>(module, "AutomaticFit")
      .def(py::init(&fit_by_choice), "data"_a, "how"_a = py::dict(), "options"_a = py::dict(),
           "listener"_a = py::none())
      .def_readonly("model", &AutomaticFit::model)
      .def_readonly("metric", &AutomaticFit::metric)
      .def_readonly("scored_on", &AutomaticFit::scored_on)
      .def_property_readonly("score", [](const AutomaticFit& fit) { return estimate(fit.score); })
      .def_property_readonly("baseline", [](const AutomaticFit& fit) { return estimate(fit.baseline); })
      .def_property_readonly("trials", [](const AutomaticFit& fit) { return trials(fit.search); })
      .def_property_readonly("notes", [](const AutomaticFit& fit) { return notes_of(fit.notes); });
  module.def("explain_plan", &plan_of, "method"_a, "kernel"_a, "points"_a, "target"_a, "weights"_a,
             "options"_a);
  module.def("fit", &fit_model, "method"_a, "kernel"_a, "points"_a, "target"_a, "weights"_a = py::none(),
             "schema"_a = Schema(), "options"_a = py::dict(), "scaling"_a = "none", "listener"_a = py::none(),
             "resume"_a = static_cast<const Model*>(nullptr));
}

}  // namespace mercer::python
