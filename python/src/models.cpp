#include <cmath>
#include <numeric>

#include "arrays.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/linear_functions.hpp"
#include "mercer/loss.hpp"
#include "mercer/model.hpp"
#include "mercer/preimage.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "running.hpp"
#include "targets.hpp"

namespace mercer::python {

namespace {

constexpr std::string_view rule_names[] = {"value",   "novelty", "one_vs_one", "one_vs_rest",
                                           "softmax", "shares",  "rate",       "projection"};

py::object optional_number(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::object(py::none());
}

py::dict report(const FitReport& r) {
  py::dict diagnostics, dict;
  for (const Diagnostic& d : r.diagnostics) {
    py::dict named;
    for (std::size_t v = 0; v < d.names.size(); ++v) named[py::str(d.names[v])] = d.values[v];
    if (!d.names.empty())
      diagnostics[py::str(d.id)] = named;
    else if (!d.list)
      diagnostics[py::str(d.id)] = d.values[0];
    else
      diagnostics[py::str(d.id)] = d.values;
  }
  dict["converged"] = r.converged;
  dict["cut_short"] = r.cut_short;
  dict["objective"] = r.objective;
  dict["certificate"] = name_of(r.certificate);
  dict["violation"] = r.violation;
  dict["tolerance"] = r.tolerance;
  dict["gap"] = r.gap;
  dict["iterations"] = r.iterations;
  dict["kernel_evaluations"] = r.kernel_evaluations;
  dict["support_vectors"] = r.support_vectors;
  dict["bounded_support_vectors"] = r.bounded_support_vectors;
  dict["seconds"] = r.seconds;
  dict["solver"] = r.solver;
  dict["way"] = r.plan.way == FitPlan::Way::primal ? "primal" : "dual";
  dict["norm"] = optional_number(r.norm);
  dict["loss"] = optional_number(r.loss);
  dict["degrees_of_freedom"] = optional_number(r.degrees_of_freedom);
  dict["diagnostics"] = diagnostics;
  dict["warnings"] = notes_of(r.warnings);
  std::vector<std::size_t> iterations;
  for (const ProblemReport& problem : r.problems) iterations.push_back(problem.iterations);
  dict["problem_iterations"] = iterations;
  return dict;
}

// None where a number that may be left out is not given.
py::object value_of(const Method& method, const MethodParameter& parameter) {
  const Argument argument = method.get(parameter.name);
  if (const double* number = std::get_if<double>(&argument)) return py::float_(*number);
  return may_be_left_out(method, parameter) ? py::object(py::none())
                                            : py::object(py::str(std::get<Word>(argument).text));
}

py::dict parameters(const Method& method) {
  py::dict dict;
  for (const MethodParameter& p : method.parameters())
    dict[py::str(std::string(p.name))] = value_of(method, p);
  return dict;
}

py::list method_catalogue() {
  py::list list;
  for (const AnyMethod& method : methods()) {
    const MethodTraits& traits = method->traits();
    py::list parameters;
    for (const MethodParameter& p : method->parameters())
      parameters.append(py::dict(py::arg("name") = p.name, py::arg("default") = value_of(*method, p),
                                 py::arg("range") = p.interval.text, py::arg("meaning") = p.meaning,
                                 py::arg("choices") = p.choices));
    list.append(py::dict(py::arg("name") = method->name(), py::arg("summary") = method->summary(),
                         py::arg("formula") = method->formula(), py::arg("task") = name_of(traits.task),
                         py::arg("multi_output") = traits.multi_output,
                         py::arg("needs_psd") = traits.needs_psd, py::arg("tolerance") = traits.tolerance,
                         py::arg("solvers") = std::vector(traits.solvers.begin(), traits.solvers.end()),
                         py::arg("parameters") = parameters));
  }
  return list;
}

py::list loss_catalogue() {
  py::list list;
  for (const AnyLoss& loss : losses())
    list.append(py::dict(py::arg("name") = loss->name(), py::arg("formula") = loss->formula(),
                         py::arg("summary") = loss->summary(),
                         py::arg("target") = target_name(loss->target()),
                         py::arg("task") = name_of(loss->task())));
  return list;
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
                const std::string& scaling, const py::object& listener) {
  const Dataset data = dataset_of(points, target, weights, schema);
  FitOptions options = fit_options(how);
  return run(listener, [&](const Progress& progress) {
    options.progress = progress;
    Model model = fit(method, kernel, data, options, Scaling::kind_named(scaling));
    own_points(model);
    return model;
  });
}

// A model's answer. Without `probabilities` it is the method's own decision, also where the model is
// calibrated.
py::dict predict(const Model& model, const Points& points, bool probabilities, int threads,
                 const py::object& listener) {
  Predictions p = run(listener, [&](const Progress& progress) {
    if (probabilities || (model.fitted.slopes.empty() && model.fitted.density_marks.empty()))
      return model.predict(points, threads, progress);
    Model plain = model;
    plain.fitted.slopes.clear();
    plain.fitted.offsets.clear();
    plain.fitted.density_marks.clear();
    return plain.predict(points, threads, progress);
  });
  const std::size_t rows = points.rows();
  const auto in_rows = [&](std::vector<double> numbers) {
    const std::size_t width = rows == 0 ? 0 : numbers.size() / rows;
    return to_array(std::move(numbers), {rows, width});
  };
  py::dict dict;
  dict["codes"] = to_array(std::move(p.codes));
  dict["values"] = in_rows(std::move(p.values));
  dict["scores"] = in_rows(std::move(p.scores));
  dict["probabilities"] = in_rows(std::move(p.probabilities));
  return dict;
}

py::tuple support(const Model& model) {
  const Support& s = model.fitted.support;
  const Expansion& e = model.fitted.expansion;
  std::vector<std::int64_t> rows(s.rows.begin(), s.rows.end());
  // Methods that keep every row do not name them.
  if (rows.empty() && !model.map && e.points.rows() == model.rows) {
    rows.resize(model.rows);
    std::iota(rows.begin(), rows.end(), 0);
  }
  return py::make_tuple(to_array(rows),
                        to_rows(s.coefficients.empty() ? e.coefficients : s.coefficients, e.width));
}

// What a covariance is made of: the rows compared with each other (n × n) and with the points of the
// expansion (n × m), where the expansion is: in feature space where the model has a map.
py::tuple compare(const Model& model, const Points& points, int threads) {
  const Expansion& e = model.fitted.expansion;
  const std::size_t n = points.rows(), m = e.points.rows();
  std::vector<double> own(n * n), cross(n * m);
  run(py::none(), [&](const Progress& progress) {
    const Points scaled = model.scaling.apply(points),
                 at = model.map ? model.map->apply(scaled, threads) : scaled;
    const OperatorOptions options{.threads = threads, .progress = progress};
    KernelOperator<double>(e.kernel, at, options).matrix(own);
    KernelOperator<double>(e.kernel, at, e.points, options).matrix(cross);
    return true;
  });
  return py::make_tuple(to_array(std::move(own), {n, n}), to_array(std::move(cross), {n, m}));
}

py::object preimages_of(const Model& model,
                        const py::array_t<double, py::array::c_style | py::array::forcecast>& coordinates,
                        int threads) {
  const std::vector<double> numbers = to_vector(coordinates);
  return points_to_python(run(py::none(), [&](const Progress& progress) {
    return preimages(model, numbers, {.threads = threads, .progress = progress});
  }));
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<Target>(module, "Target").def(py::init<>()).def_property_readonly("labels", [](const Target& t) {
    return t.labels;
  });
  module.def("classes", &classes_target, py::arg("codes"), py::arg("labels"), py::arg("name") = "");
  module.def("numbers", &real_target, py::arg("values"), py::arg("name") = "");

  py::class_<AnyMethod>(module, "Method")
      .def(
          py::init([](const std::string& name, const py::dict& values) { return method_with(name, values); }),
          py::arg("name"), py::arg("parameters") = py::dict())
      .def_property_readonly("name", [](const AnyMethod& method) { return method->name(); })
      .def("parameters", [](const AnyMethod& method) { return parameters(*method); });

  py::class_<Model>(module, "Model", "A fitted model.")
      .def_property_readonly("method", [](const Model& m) { return m.method->name(); })
      .def_property_readonly("parameters", [](const Model& m) { return parameters(*m.method); })
      .def_property_readonly("kernel", [](const Model& m) { return m.kernel(); })
      .def_property_readonly("labels", [](const Model& m) { return m.labels; })
      .def_property_readonly("columns", [](const Model& m) { return m.columns; })
      .def_property_readonly("rows", [](const Model& m) { return m.rows; })
      .def_property_readonly(
          "scaling", [](const Model& m) { return py::make_tuple(m.scaling.shift(), m.scaling.scale()); })
      .def_property_readonly("map", [](const Model& m) { return m.map ? m.map->text() : ""; })
      .def_property_readonly("schema", [](const Model& m) { return m.schema; })
      .def_property_readonly("rule", [](const Model& m) { return rule_names[int(m.fitted.rule)]; })
      .def_property_readonly("rho", [](const Model& m) { return to_array(m.fitted.rho); })
      .def_property_readonly("blocks", [](const Model& m) { return m.fitted.expansion.blocks; })
      .def_property_readonly("points", [](const Model& m) { return m.fitted.expansion.points; })
      .def_property_readonly(
          "coefficients",
          [](const Model& m) { return to_rows(m.fitted.expansion.coefficients, m.fitted.expansion.width); })
      .def_property_readonly("support", &support)
      .def_property_readonly("linear", [](const Model& m) { return !linear_functions(m).empty(); })
      .def_property_readonly("keeps_rows",
                             [](const Model& m) {
                               return m.fitted.support.coefficients.empty() && !m.map &&
                                      m.fitted.support.rows.size() == m.fitted.expansion.points.rows();
                             })
      .def_property_readonly(
          "precision",
          [](const Model& m) { return to_rows(m.fitted.precision, m.fitted.expansion.points.rows()); })
      .def_property_readonly("platt",
                             [](const Model& m) {
                               return py::make_tuple(to_array(m.fitted.slopes), to_array(m.fitted.offsets));
                             })
      .def_property_readonly(
          "calibrated",
          [](const Model& m) { return !m.fitted.slopes.empty() || !m.fitted.density_marks.empty(); })
      .def_property_readonly("noise_scale", [](const Model& m) { return m.fitted.noise_scale; })
      .def("report", [](const Model& m) { return report(m.fitted.report); })
      .def("predict", &predict, py::arg("points"), py::arg("probabilities") = false, py::arg("threads") = 0,
           py::arg("listener") = py::none())
      .def(
          "variances",
          [](const Model& m, const Points& points, int threads) {
            return to_array(run(py::none(), [&](const Progress& progress) {
              return m.variances(points, threads, progress);
            }));
          },
          py::arg("points"), py::arg("threads") = 0)
      .def("compare", &compare, py::arg("points"), py::arg("threads") = 0)
      .def("preimages", &preimages_of, py::arg("coordinates"), py::arg("threads") = 0)
      .def(
          "save", [](const Model& m, const std::string& path) { m.save(path); }, py::arg("path"))
      .def_static("load", &Model::load, py::arg("path"))
      .def("bytes", [](const Model& m) { return py::bytes(m.bytes()); })
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return Model::from_bytes(std::string_view(bytes)); },
          py::arg("bytes"))
      .def(py::pickle([](const Model& m) { return py::bytes(m.bytes()); },
                      [](const py::bytes& bytes) { return Model::from_bytes(std::string_view(bytes)); }));

  module.def("fit", &fit_model, py::arg("method"), py::arg("kernel"), py::arg("points"), py::arg("target"),
             py::arg("weights") = py::none(), py::arg("schema") = Schema(), py::arg("options") = py::dict(),
             py::arg("scaling") = "none", py::arg("listener") = py::none());
  module.def("methods", &method_catalogue);
  module.def("losses", &loss_catalogue);
}

}  // namespace mercer::python
