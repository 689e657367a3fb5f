#include "mercer/json.hpp"

#include "base/json.hpp"
#include "mercer/linear_functions.hpp"

namespace mercer {

namespace {

Json parameters_of(const Method& method) {
  Json json = Json::object();
  for (const MethodParameter& parameter : method.parameters()) {
    const Argument value = method.get(parameter.name);
    json[std::string(parameter.name)] = std::holds_alternative<double>(value)
                                            ? json_number(std::get<double>(value))
                                            : Json(std::get<Word>(value).text);
  }
  return json;
}

Json diagnostics_of(const FitReport& r) {
  Json diagnostics = Json::object();
  for (const Diagnostic& d : r.diagnostics) {
    Json values = Json::array();
    for (const double value : d.values) values.push_back(json_number(value));
    Json one{{"label", d.label}, {"unit", d.unit}};
    if (d.names.empty() && !d.list)
      one["value"] = values[0];
    else
      one["values"] = std::move(values);
    if (!d.names.empty()) one["names"] = d.names;
    diagnostics[d.id] = std::move(one);
  }
  return diagnostics;
}

Json report_of(const FitReport& r, HintWords words) {
  Json plan{{"way", r.plan.way == FitPlan::Way::dual ? "dual" : "primal"}};
  if (r.plan.way != FitPlan::Way::dual) plan["features"] = r.plan.features;
  Json json{{"converged", r.converged},
            {"cut_short", r.cut_short},
            {"objective", json_number(r.objective)},
            {"certificate", name_of(r.certificate)},
            {"violation", json_number(r.violation)},
            {"tolerance", json_number(r.tolerance)},
            {"iterations", r.iterations},
            {"kernel_evaluations", r.kernel_evaluations},
            {"support_vectors", r.support_vectors},
            {"solver", r.solver},
            {"plan", plan},
            {"norm", json_number(r.norm)},
            {"loss", json_number(r.loss)},
            {"degrees_of_freedom", json_number(r.degrees_of_freedom)},
            {"diagnostics", diagnostics_of(r)},
            {"warnings", said(r.warnings, words)}};
  if (r.certificate == CertificateKind::kkt_violation)  // a support vector machine has a dual
    json.update(Json{{"kkt_violation", json_number(r.violation)},
                     {"duality_gap", json_number(r.gap)},
                     {"bounded_support_vectors", r.bounded_support_vectors}});
  return json;
}

}  // namespace

std::string json_of(const Method& method) { return json_text(parameters_of(method)); }

std::string json_of(const FitReport& report, HintWords words) { return json_text(report_of(report, words)); }

std::string json_of(const Model& model, HintWords words) {
  Json json{{"method", model.method->name()},
            {"parameters", parameters_of(*model.method)},
            {"kernel", model.kernel().text()},
            {"classes", model.labels},
            {"points", model.fitted.expansion.points.rows()},
            {"columns", model.columns},
            {"rows", model.rows},
            {"noise_scale", json_number(model.fitted.noise_scale)},
            {"approx", model.map ? Json(model.map->text()) : Json()}};
  const std::vector<LinearFunction> functions = linear_functions(model);
  for (const LinearFunction& f : functions)
    json["linear"].push_back(
        {{"score", f.subject}, {"weights", f.weights}, {"intercept", json_number(f.intercept)}});
  const FeatureFunctions over = feature_functions(model);
  for (const LinearFunction& f : over.functions)
    json["features"].push_back({{"score", f.subject},
                                {"features", over.names},
                                {"weights", f.weights},
                                {"intercept", json_number(f.intercept)}});
  json.update(report_of(model.fitted.report, words));
  return json_text(json);
}

}  // namespace mercer
