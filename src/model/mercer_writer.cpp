#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/copy_of.hpp"
#include "mercer/error.hpp"
#include "mercer/version.hpp"
#include "methods/kept_rows.hpp"
#include "model/consistency.hpp"
#include "model/mercer_format.hpp"
#include "model/model_file.hpp"
#include "model/object_tensors.hpp"
#include "model/safetensors.hpp"

namespace mercer {

namespace {

// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : "-inf"); }

Json report_json(const FitReport& r) {
  Json diagnostics = Json::array();
  for (const Diagnostic& d : r.diagnostics) {
    Json values = Json::array();
    for (const double value : d.values) values.push_back(number(value));
    diagnostics.push_back({{"id", d.id},
                           {"label", d.label},
                           {"values", std::move(values)},
                           {"unit", d.unit},
                           {"names", d.names},
                           {"list", d.list}});
  }
  Json json{{"converged", r.converged},
            {"cut_short", r.cut_short},
            {"objective", number(r.objective)},
            {"certificate", name_of(r.certificate)},
            {"violation", number(r.violation)},
            {"tolerance", number(r.tolerance)},
            {"gap", number(r.gap)},
            {"iterations", r.iterations},
            {"kernel_evaluations", r.kernel_evaluations},
            {"support_vectors", r.support_vectors},
            {"bounded_support_vectors", r.bounded_support_vectors},
            {"seconds", number(r.seconds)},
            {"solver", r.solver},
            {"diagnostics", diagnostics},
            {"warnings", said(r.warnings)}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) json[name] = number(*value);
  };
  add("norm", r.norm);
  add("loss", r.loss);
  add("degrees_of_freedom", r.degrees_of_freedom);
  return json;
}

Json parameters_json(const Method& method) {
  Json json = Json::object();
  for (const MethodParameter& parameter : method.parameters()) {
    const Argument value = method.get(parameter.name);
    const double* real = std::get_if<double>(&value);
    // Files of version 0.6 and before have the number 0 where nothing was given; so a 0 that was given is a
    // word.
    if (real && *real == 0 && may_be_left_out(method, parameter))
      json[std::string(parameter.name)] = "0";
    else if (real)
      json[std::string(parameter.name)] = number(*real);
    else
      json[std::string(parameter.name)] = std::get<Word>(value).text;
  }
  return json;
}

Json objects_json(const Points& points) {
  Json list = Json::array();
  for (const Objects& column : points.objects())
    list.push_back({{"name", column.name()}, {"domain", name_of(column.domain())}});
  return list;
}

Json description(const Model& model) {
  Json columns = Json::array();
  for (const Schema::Column& column : model.schema.columns) {
    columns.push_back(
        {{"name", column.name}, {"categories", column.categories}, {"mean", number(column.mean)}});
    if (column.dates != Schema::Dates::none) columns.back()["dates"] = date_names[int(column.dates)];
    if (column.objects) columns.back()["objects"] = name_of(*column.objects);
  }
  Json schema{{"columns", columns}, {"target", model.schema.target}, {"weights", model.schema.weights}};
  if (!model.schema.left_out.empty()) schema["left_out"] = model.schema.left_out;
  if (!model.schema.bag.empty()) schema["bag"] = model.schema.bag;
  if (model.schema.first_index) schema["first_index"] = *model.schema.first_index;
  Json json{{"format_version", format_version},
            {"written_by", std::string("mercer ") + version()},
            {"kernel", model.fitted.expansion.kernel.text()},
            {"method", model.method->name()},
            {"parameters", parameters_json(*model.method)},
            {"rule", rule_names[int(model.fitted.rule)]},
            {"width", model.fitted.expansion.width},
            {"self", number(model.fitted.expansion.self)},
            {"labels", model.labels},
            {"columns", model.columns},
            {"rows", model.rows},
            {"scaling", scaling_names[int(model.scaling.kind())]},
            {"schema", schema},
            {"names", model.fitted.expansion.points.names()},
            {"report", report_json(model.fitted.report)}};
  if (const Points& points = model.fitted.expansion.points; !points.objects().empty())
    json["objects"] = objects_json(points);
  if (model.map)
    json["map"] = {{"text", model.map->text()},
                   {"seed", model.map->state().seed},
                   {"kernel", model.map->kernel().text()},
                   {"trace_left", number(model.map->trace_left())},
                   {"names", model.map->state().landmarks.names()},
                   {"objects", objects_json(model.map->state().landmarks)}};
  if (model.map && !model.map->state().names.empty()) json["map"]["columns"] = model.map->state().names;
  return json;
}

template <class T>
TensorView view(std::string name, std::vector<std::size_t> shape, const T* data) {
  return {std::move(name), dtype_of<T>, std::move(shape), data};
}

// `kept` must live as long as the tensors.
void add_points(std::vector<TensorView>& tensors, const std::string& name, const Points& points,
                std::deque<std::vector<std::int64_t>>& kept) {
  std::visit(
      [&]<class S>(const S& storage) {
        if constexpr (requires { storage.starts; }) {
          const auto& starts = kept.emplace_back(storage.starts.begin(), storage.starts.end());
          tensors.push_back(view(name + ".starts", {starts.size()}, starts.data()));
          tensors.push_back(view(name + ".indices", {storage.indices.size()}, storage.indices.data()));
          tensors.push_back(view(name + ".values", {storage.values.size()}, storage.values.data()));
        } else {
          tensors.push_back(view(name, {storage.rows, storage.cols}, storage.values.data()));
        }
      },
      points.storage());
  if (!points.ids().empty()) {
    const auto& ids = kept.emplace_back(points.ids().begin(), points.ids().end());
    tensors.push_back(view(name + ".ids", {ids.size()}, ids.data()));
  }
  add_objects(tensors, name, points.objects(), kept);
}

// Hands the file's text and tensors, which live only as long as that takes, to `write`.
void write_with(const std::function<void(const std::map<std::string, std::string>&,
                                         const std::vector<TensorView>&)>& write,
                const std::string& name, const Model& model) {
  const Expansion& e = model.fitted.expansion;
  check_numbers(model, [&](std::string_view field, const std::string& what) {
    throw Error(ErrorCode::invalid_file, fmt::format("the model cannot be saved: field '{}' {}", field, what),
                {.file = name, .hint = "scale the data before the fit"});
  });
  try {
    (void)Kernel::parse(e.kernel.text());
  } catch (const Error&) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format("the kernel {} has a function of your program in it, which a model file cannot hold",
                    e.kernel.text()));
  }
  std::string text;
  try {
    text = description(model).dump();
  } catch (const Json::exception&) {
    throw Error(ErrorCode::invalid_file,
                name + ": a label or a column's name is not UTF-8 text, which a model file needs");
  }
  const std::vector<std::int64_t> blocks(e.blocks.begin(), e.blocks.end());
  std::deque<std::vector<std::int64_t>> kept;
  std::vector<TensorView> tensors{view("coefficients", {e.points.rows(), e.width}, e.coefficients.data()),
                                  view("levels", {model.fitted.rho.size()}, model.fitted.rho.data()),
                                  view("blocks", {blocks.size()}, blocks.data())};
  add_points(tensors, "points", e.points, kept);
  if (model.map && !model.map->state().matrix.empty()) {
    const FeatureMap::State& state = model.map->state();
    add_points(tensors, "map.points", state.landmarks, kept);
    tensors.push_back(
        view("map.matrix", {model.map->features(), state.landmarks.rows()}, state.matrix.data()));
  }
  if (!model.fitted.slopes.empty()) {
    tensors.push_back(view("slopes", {model.fitted.slopes.size()}, model.fitted.slopes.data()));
    tensors.push_back(view("offsets", {model.fitted.offsets.size()}, model.fitted.offsets.data()));
  }
  if (model.fitted.noise_scale) tensors.push_back(view("noise_scale", {1}, &*model.fitted.noise_scale));
  if (!model.fitted.density_marks.empty())
    tensors.push_back(
        view("density_marks", {model.fitted.density_marks.size()}, model.fitted.density_marks.data()));
  if (!model.fitted.precision.empty())
    tensors.push_back(view("precision", {e.points.rows(), e.points.rows()}, model.fitted.precision.data()));
  const std::vector<double> targets = to_numbers(model.fitted.kept),
                            &state = targets.empty() ? model.fitted.centre : targets;
  if (!state.empty()) tensors.push_back(view("state", {state.size()}, state.data()));
  if (!model.scaling.shift().empty())
    tensors.push_back(view("scaling.shift", {model.scaling.shift().size()}, model.scaling.shift().data()));
  if (!model.scaling.scale().empty())
    tensors.push_back(view("scaling.scale", {model.scaling.scale().size()}, model.scaling.scale().data()));
  write({{std::string(format_name), text}}, tensors);
}

}  // namespace

void save_mercer(const std::string& path, const Model& model) {
  write_with([&](const auto& metadata, const auto& tensors) { write_safetensors(path, metadata, tensors); },
             path, model);
}

std::string mercer_bytes(const Model& model, const std::string& name) {
  std::string all;
  const Sink append = [&](std::string_view piece) { all += piece; };
  write_with(
      [&](const auto& metadata, const auto& tensors) { write_safetensors(append, name, metadata, tensors); },
      name, model);
  return all;
}

}  // namespace mercer
