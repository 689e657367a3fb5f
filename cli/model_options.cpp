#include "cli/model_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/gram_rows.hpp"
#include "cli/wording.hpp"
#include "mercer/error.hpp"
#include "mercer/read_rows.hpp"

namespace mercer::cli {

void add_model_and_data(CLI::App& command, std::string& model, DataOptions& data) {
  command.add_option("MODEL", model, "model file: .mercer, or LIBSVM's .model")
      ->required()
      ->type_name("MODEL");
  data.read.missing = Missing::automatic;
  data.read.tolerant = true;
  data.add(command);
  for (const char* of_fit : {"--weights", "--drop", "--keep", "--objects", "--bag"})
    command.remove_option(command.get_option(of_fit));
  command.get_option("--scale")->group("");  // not in the help, but refused with a reason
}

Dataset load_for(Model& model, DataOptions& options, const Session& session, bool needs_target,
                 std::vector<std::size_t>* left_out) {
  if (options.scale != "none")
    throw Error(ErrorCode::invalid_argument, "the model scales data as it did when it was fitted",
                {.hint = "drop --scale here, and give it to 'mercer fit'"});
  if (!model.schema.columns.empty())
    options.read.schema = &model.schema;
  else if (options.read.missing == Missing::automatic)
    options.read.missing = Missing::refuse;  // the model knows of no means
  options.read.from_zero = model.schema.first_index == 0;
  options.read.columns = libsvm_columns(model.kernel(), model.columns, options.read.from_zero);
  if (!model.labels.empty()) options.read.task = Task::classification;
  options.read.threads = session.threads;
  std::vector<std::size_t> not_read;
  Dataset data = read(options.path, options.read, left_out ? *left_out : not_read);
  read_as_matrix(data, model.kernel(), model.columns);
  complain_of(session, data.notes);
  if (needs_target && supervised(model.method->traits().task) && data.target.task == Task::none &&
      !model.schema.target.empty())
    throw Error(ErrorCode::invalid_data,
                fmt::format("{}: no target column '{}' to compare with", options.path, model.schema.target),
                {.hint = "name another with --target"});
  if (model.schema.columns.empty() && open_ended(data)) model = widened_for(model, data);
  return data;
}

bool open_ended(const Dataset& data) { return data.schema.first_index || data.points.sparse(); }

Model widened_for(const Model& model, const Dataset& data) {
  return model.widened(data.points.cols(), model.schema.first_index == 1 && data.schema.first_index == 0);
}

std::vector<std::int32_t> codes_in(const Model& model, const Target& target) {
  std::vector<std::int32_t> map;
  for (const std::string& label : target.labels) {
    const auto found = std::ranges::find(model.labels, label);
    map.push_back(found == model.labels.end() ? -1 : std::int32_t(found - model.labels.begin()));
  }
  std::vector<std::int32_t> codes;
  for (const std::int32_t code : target.codes) codes.push_back(map[std::size_t(code)]);
  return codes;
}

std::string text_of(const Argument& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{:g}", std::get<double>(value))
                                               : std::get<Word>(value).text;
}

std::vector<std::pair<std::string, std::string>> report_lines(const FitReport& r) {
  // A support vector machine has a dual.
  const bool machine = r.certificate == CertificateKind::kkt_violation;
  std::vector<std::pair<std::string, std::string>> lines;
  std::string fit = fmt::format("{} in {:.3g} s",
                                r.converged   ? "converged"
                                : r.cut_short ? "cut short"
                                              : "NOT converged",
                                r.seconds);
  const std::string_view certificate = label_of(r.certificate);
  if (!certificate.empty())
    fit += fmt::format("; {} {:.2g} (tolerance {:g})", certificate, r.violation, r.tolerance);
  if (machine) fit += fmt::format(", duality gap {:.3g}", r.gap);
  lines.emplace_back("fit", fit + (certificate.empty() ? "" : ", in float64"));
  if (!r.solver.empty()) lines.emplace_back("solver", r.solver);
  if (machine || r.objective != 0) lines.emplace_back("objective", fmt::format("{:.9g}", r.objective));
  std::string function;
  const auto add = [&](std::string_view name, double value) {
    function += fmt::format("{}{} {:.6g}", function.empty() ? "" : ", ", name, value);
  };
  if (r.norm) add("‖f‖²", *r.norm);
  if (r.loss) add("training loss", *r.loss);
  if (r.degrees_of_freedom) add("degrees of freedom", *r.degrees_of_freedom);
  if (!function.empty()) lines.emplace_back("function", function);
  for (const Diagnostic& d : r.diagnostics)
    for (std::size_t v = 0; v < d.values.size(); ++v)
      lines.emplace_back("", fmt::format("{} {:.9g}", value_label(d, v), d.values[v]));
  for (std::string& warning : said(r.warnings, flag_words)) lines.emplace_back("warning", std::move(warning));
  return lines;
}

Json plan_json(const FitPlan& plan) {
  if (plan.way == FitPlan::Way::dual) return {{"way", "dual"}};
  return {{"way", "primal"}, {"features", plan.features}};
}

Json report_json(const FitReport& r) {
  Json diagnostics = Json::object();
  for (const Diagnostic& d : r.diagnostics) {
    Json values = Json::array();
    for (const double value : d.values) values.push_back(number(value));
    Json one{{"label", d.label}, {"unit", d.unit}};
    if (d.names.empty() && !d.list)
      one["value"] = values[0];
    else
      one["values"] = std::move(values);
    if (!d.names.empty()) one["names"] = d.names;
    diagnostics[d.id] = std::move(one);
  }
  const auto optional = [](const std::optional<double>& value) { return value ? number(*value) : Json(); };
  Json json{{"converged", r.converged},
            {"cut_short", r.cut_short},
            {"objective", number(r.objective)},
            {"certificate", name_of(r.certificate)},
            {"violation", number(r.violation)},
            {"tolerance", number(r.tolerance)},
            {"iterations", r.iterations},
            {"kernel_evaluations", r.kernel_evaluations},
            {"support_vectors", r.support_vectors},
            {"solver", r.solver},
            {"plan", plan_json(r.plan)},
            {"norm", optional(r.norm)},
            {"loss", optional(r.loss)},
            {"degrees_of_freedom", optional(r.degrees_of_freedom)},
            {"diagnostics", diagnostics},
            {"warnings", said(r.warnings, flag_words)}};
  if (r.certificate == CertificateKind::kkt_violation)  // a support vector machine has a dual
    json.update(Json{{"kkt_violation", number(r.violation)},
                     {"duality_gap", number(r.gap)},
                     {"bounded_support_vectors", r.bounded_support_vectors}});
  return json;
}

std::string noise_text(double scale) {
  return fmt::format(
      "target = prediction + z, z Laplace-distributed with scale {:.6g} (standard deviation {:.6g})", scale,
      std::sqrt(2.0) * scale);
}
Json noise_json(const Model& model) {
  return model.fitted.noise_scale ? number(*model.fitted.noise_scale) : Json();
}

Json parameters_json(const Method& method) {
  Json json = Json::object();
  for (const MethodParameter& parameter : method.parameters()) {
    const Argument value = method.get(parameter.name);
    json[std::string(parameter.name)] = std::holds_alternative<double>(value)
                                            ? number(std::get<double>(value))
                                            : Json(std::get<Word>(value).text);
  }
  return json;
}

}  // namespace mercer::cli
