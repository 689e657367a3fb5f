#include <numeric>

#include "conversions.hpp"
#include "mercer/file.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/linear_functions.hpp"
#include "mercer/loss.hpp"
#include "mercer/model.hpp"
#include "mercer/onnx.hpp"
#include "mercer/preimage.hpp"
#include "mercer/user_kernel.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

constexpr std::string_view rule_names[] = {"value",   "novelty", "one_vs_one", "one_vs_rest",
                                           "softmax", "shares",  "rate",       "projection"};

py::dict report(const FitReport& r) {
  py::dict diagnostics;
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
  std::vector<std::size_t> iterations;
  for (const ProblemReport& problem : r.problems) iterations.push_back(problem.iterations);
  return py::dict("converged"_a = r.converged, "cut_short"_a = r.cut_short, "objective"_a = r.objective,
                  "certificate"_a = name_of(r.certificate), "violation"_a = r.violation,
                  "tolerance"_a = r.tolerance, "gap"_a = r.gap, "iterations"_a = r.iterations,
                  "kernel_evaluations"_a = r.kernel_evaluations, "support_vectors"_a = r.support_vectors,
                  "bounded_support_vectors"_a = r.bounded_support_vectors, "seconds"_a = r.seconds,
                  "solver"_a = r.solver, "way"_a = r.plan.way == FitPlan::Way::primal ? "primal" : "dual",
                  "norm"_a = r.norm, "loss"_a = r.loss, "degrees_of_freedom"_a = r.degrees_of_freedom,
                  "diagnostics"_a = diagnostics, "warnings"_a = notes_of(r.warnings),
                  "problem_iterations"_a = iterations);
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
      parameters.append(py::dict("name"_a = p.name, "default"_a = value_of(*method, p),
                                 "range"_a = p.interval.text, "meaning"_a = p.meaning,
                                 "choices"_a = p.choices));
    list.append(py::dict("name"_a = method->name(), "summary"_a = method->summary(),
                         "formula"_a = method->formula(), "task"_a = name_of(traits.task),
                         "multi_output"_a = traits.multi_output, "needs_psd"_a = traits.needs_psd,
                         "tolerance"_a = traits.tolerance,
                         "solvers"_a = std::vector(traits.solvers.begin(), traits.solvers.end()),
                         "parameters"_a = parameters));
  }
  return list;
}

py::list loss_catalogue() {
  py::list list;
  for (const AnyLoss& loss : losses())
    list.append(py::dict("name"_a = loss->name(), "formula"_a = loss->formula(),
                         "summary"_a = loss->summary(), "target"_a = target_name(loss->target()),
                         "task"_a = name_of(loss->task())));
  return list;
}

// Sums over few points, of few rows. A kernel's formula takes about as long as 16 products, of which 8 run at
// once.
bool is_brief_prediction(const Model& model, const Points& points) {
  const std::size_t terms =
      model.fitted.expansion.points.rows() + (model.map ? model.map->features() : std::size_t(0));
  return model.method->traits().expands && points.objects().empty() &&
         is_brief(points.rows() * terms * (16 + points.cols()) / 8) && user_functions(model.kernel()).empty();
}

// A model's answer. Without `probabilities` it is the method's own decision, also where the model is
// calibrated.
py::dict predict(const Model& model, const Points& points, bool probabilities, int threads) {
  const auto work = [&](const Progress& progress) {
    const OneThread alone(OneThread::a_while);
    if (probabilities || (model.fitted.slopes.empty() && model.fitted.density_marks.empty()))
      return model.predict(points, threads, progress);
    Model plain = model;
    plain.fitted.slopes.clear();
    plain.fitted.offsets.clear();
    plain.fitted.density_marks.clear();
    return plain.predict(points, threads, progress);
  };
  Predictions p = is_brief_prediction(model, points) ? run_here(work) : run(work);
  const std::size_t rows = points.rows();
  const auto in_rows = [&](std::vector<double> numbers) {
    const std::size_t width = rows == 0 ? 0 : numbers.size() / rows;
    return to_array(std::move(numbers), {rows, width});
  };
  return py::dict("codes"_a = to_array(std::move(p.codes)), "values"_a = in_rows(std::move(p.values)),
                  "scores"_a = in_rows(std::move(p.scores)),
                  "probabilities"_a = in_rows(std::move(p.probabilities)));
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
  run([&](const Progress& progress) {
    const Points scaled = model.scaling.apply(points),
                 at = model.map ? model.map->apply(scaled, threads) : scaled;
    const OperatorOptions options{.threads = threads, .progress = progress};
    KernelOperator<double>(e.kernel, at, options).matrix(own);
    KernelOperator<double>(e.kernel, at, e.points, options).matrix(cross);
    return true;
  });
  return py::make_tuple(to_array(std::move(own), {n, n}), to_array(std::move(cross), {n, m}));
}

py::object preimages_of(const Model& model, const AnyArray<double>& coordinates, int threads) {
  const std::vector<double> numbers = to_vector(coordinates);
  return points_to_python(run([&](const Progress& progress) {
    return preimages(model, numbers, {.threads = threads, .progress = progress});
  }));
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<Target>(module, "Target").def(py::init<>()).def_property_readonly("labels", [](const Target& t) {
    return t.labels;
  });
  module.def("classes", &classes_target, "codes"_a, "labels"_a, "name"_a = "");
  module.def("numbers", &real_target, "values"_a, "name"_a = "");

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
      .def_property_readonly("state", [](const Model& m) { return to_array(m.fitted.state); })
      .def_property_readonly(
          "precision",
          [](const Model& m) { return to_rows(m.fitted.precision, m.fitted.expansion.points.rows()); })
      .def_property_readonly(
          "factor", [](const Model& m) { return to_rows(m.fitted.factor, m.fitted.expansion.points.rows()); })
      .def_property_readonly("platt",
                             [](const Model& m) {
                               return py::make_tuple(to_array(m.fitted.slopes), to_array(m.fitted.offsets));
                             })
      .def_property_readonly(
          "calibrated",
          [](const Model& m) { return !m.fitted.slopes.empty() || !m.fitted.density_marks.empty(); })
      .def("report", [](const Model& m) { return report(m.fitted.report); })
      .def("predict", &predict, "points"_a, "probabilities"_a = false, "threads"_a = 0)
      .def(
          "variances",
          [](const Model& m, const Points& points, int threads) {
            return to_array(
                run([&](const Progress& progress) { return m.variances(points, threads, progress); }));
          },
          "points"_a, "threads"_a = 0)
      .def("compare", &compare, "points"_a, "threads"_a = 0)
      .def("preimages", &preimages_of, "coordinates"_a, "threads"_a = 0)
      .def(
          "save", [](const Model& m, const std::string& path) { m.save(path); }, "path"_a)
      .def(
          "to_onnx",
          [](const Model& m, const std::string& path, bool float32, bool variances) {
            const OnnxOptions options{.float32 = float32, .variances = variances};
            return py::bytes(run([&](const Progress&) {
              std::string graph = to_onnx(m, options);
              if (!path.empty()) write_file(path, graph);
              return graph;
            }));
          },
          "path"_a = "", "float32"_a = false, "variances"_a = false)
      .def_static(
          "load",
          [](const std::string& path, const std::vector<UserFunction>& functions) {
            return Model::load(path, functions);
          },
          "path"_a, "functions"_a = std::vector<UserFunction>())
      .def(py::pickle(
          [](const Model& m) -> py::object {
            return py::make_tuple(py::bytes(m.bytes()), user_functions(m.kernel()));
          },
          [](const py::object& state) {  // the bytes alone: of version 0.7 and before
            if (py::isinstance<py::bytes>(state))
              return Model::from_bytes(std::string_view(state.cast<py::bytes>()));
            const auto parts = state.cast<py::tuple>();
            return Model::from_bytes(std::string_view(parts[0].cast<py::bytes>()), "the model",
                                     parts[1].cast<std::vector<UserFunction>>());
          }));

  module.def("methods", &method_catalogue);
  module.def("losses", &loss_catalogue);
}

}  // namespace mercer::python
