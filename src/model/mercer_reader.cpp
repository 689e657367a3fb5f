#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/copy_of.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/version.hpp"
#include "methods/kept_rows.hpp"
#include "model/consistency.hpp"
#include "model/mercer_format.hpp"
#include "model/model_file.hpp"
#include "model/object_tensors.hpp"
#include "model/safetensors.hpp"

namespace mercer {

namespace {

// Every field is looked up by name, so that a refusal can name it.
class Fields {
 public:
  Fields(const Safetensors& file, const Json& json, std::string path)
      : file_(file), json_(json), path_(std::move(path)) {}

  template <class T>
  T get(const char* name) const {
    const Json& value = at(name);
    try {
      if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        if (!value.is_number_unsigned()) refuse(name, "is not a whole number ≥ 0");
      return value.get<T>();
    } catch (const Json::exception&) {
      refuse(name, "has the wrong type");
    }
  }
  double real(const char* name) const {
    const Json& value = at(name);
    if (value.is_number()) return value.get<double>();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    refuse(name, "is not a number");
  }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }
  const Json& at(const char* name) const {
    if (!has(name)) refuse(name, "is missing");
    return json_.at(name);
  }
  Fields inside(const char* name) const { return {file_, at(name), full(name)}; }
  template <std::size_t N>
  int choice(const char* name, const std::string_view (&names)[N]) const {
    const std::string text = get<std::string>(name);
    for (std::size_t i = 0; i < N; ++i)
      if (names[i] == text) return int(i);
    refuse(name, fmt::format("is '{}', which this version does not know", text));
  }
  [[noreturn]] void refuse(const char* name, const std::string& what) const {
    file_.refuse(full(name), what);
  }

 private:
  std::string full(const char* name) const { return path_ + "." + name; }
  const Safetensors& file_;
  const Json& json_;
  std::string path_;
};

template <class T>
Points read_points_of(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t cols,
                      std::vector<std::string> names) {
  if (file.has(name))
    return Points(Dense<T>{rows, cols, copy_of(file.get<T>(name, {rows, cols}))}, std::move(names));
  const auto starts = file.get<std::int64_t>(name + ".starts", {rows + 1});
  const std::size_t stored = file.tensor(name + ".values").count();
  Sparse<T> sparse{rows, cols, Buffer<std::size_t>(rows + 1),
                   copy_of(file.get<std::int32_t>(name + ".indices", {stored})),
                   copy_of(file.get<T>(name + ".values", {stored}))};
  for (std::size_t i = 0; i <= rows; ++i) {
    if (starts[i] < 0 || std::size_t(starts[i]) > stored)
      file.refuse(name + ".starts", "points outside the values");
    sparse.starts[i] = std::size_t(starts[i]);
  }
  return Points(std::move(sparse), std::move(names));
}

std::vector<ObjectColumn> object_columns(const Safetensors& file, const Fields& fields) {
  std::vector<ObjectColumn> columns;
  if (!fields.has("objects")) return columns;
  if (!fields.at("objects").is_array()) fields.refuse("objects", "is not a list");
  for (const Json& column : fields.at("objects")) {
    const Fields inside(file, column, "mercer.objects[]");
    columns.push_back({inside.get<std::string>("name"), domain_named(inside.get<std::string>("domain"))});
  }
  return columns;
}

// Tensor `name` (dense), or `name`.starts, .indices and .values (sparse rows), and the columns of objects
// that `fields` lists.
Points read_points(const Safetensors& file, const Fields& fields, const std::string& name, std::size_t rows,
                   std::size_t cols, std::vector<std::string> names) {
  const bool single = file.tensor(file.has(name) ? name : name + ".values").dtype == Dtype::f32;
  Points points = single ? read_points_of<float>(file, name, rows, cols, std::move(names))
                         : read_points_of<double>(file, name, rows, cols, std::move(names));
  std::visit(
      [&](const auto& storage) {
        if (!std::ranges::all_of(storage.values, [](auto v) { return std::isfinite(v); }))
          file.refuse(name, "holds a number that is not finite");
      },
      points.storage());
  if (file.has(name + ".ids")) {
    std::vector<std::size_t> ids;
    for (const std::int64_t id : file.get<std::int64_t>(name + ".ids", {rows})) {
      if (id < 0 || std::size_t(id) >= cols) file.refuse(name + ".ids", "names a column that is not there");
      ids.push_back(std::size_t(id));
    }
    points = points.with_ids(std::move(ids));
  }
  std::vector<Objects> objects = read_objects(file, name, object_columns(file, fields), rows);
  return objects.empty() ? points : points.with_objects(std::move(objects));
}

// None where the file has no such tensor.
std::vector<double> read_numbers(const Safetensors& file, const char* name, std::vector<std::size_t> shape) {
  if (!file.has(name)) return {};
  const auto numbers = file.get<double>(name, shape);
  return {numbers.begin(), numbers.end()};
}

std::optional<FeatureMap> read_map(const Safetensors& file, const Fields& fields) {
  if (!fields.has("map")) return {};
  const Fields inside = fields.inside("map");
  FeatureMap::State state{.text = inside.get<std::string>("text"),
                          .seed = inside.get<std::uint64_t>("seed"),
                          .columns = fields.get<std::size_t>("columns")};
  state.trace_left = inside.real("trace_left");
  if (inside.has("columns")) state.names = inside.get<std::vector<std::string>>("columns");
  if (file.has("map.matrix")) {
    const auto& matrix = file.tensor("map.matrix");
    if (matrix.shape.size() != 2) file.refuse("map.matrix", "is not a matrix");
    state.matrix = read_numbers(file, "map.matrix", matrix.shape);
    state.landmarks = read_points(file, inside, "map.points", matrix.shape[1], state.columns,
                                  inside.get<std::vector<std::string>>("names"));
  }
  const Kernel kernel = Kernel::parse(inside.get<std::string>("kernel"));
  if (!kernel.resolved()) inside.refuse("kernel", "has a parameter that is not a number");
  return FeatureMap::restore(std::move(state), kernel);
}

/// Files of version 0.7 and before have the number of a row of a kernel matrix, from 1, in its first column.
void number_old_rows(Model& model) {
  Expansion& e = model.fitted.expansion;
  if (!e.kernel.uses_precomputed() || !e.points.ids().empty() || e.points.cols() == 0) return;
  e.points = kernel_rows(e.points);
  --model.columns;
}

// `cols`: of the points.
Expansion read_expansion(const Safetensors& file, const Fields& fields, std::size_t cols) {
  const auto& coefficients = file.tensor("coefficients");
  if (coefficients.shape.size() != 2) file.refuse("coefficients", "is not a matrix");
  const std::size_t rows = coefficients.shape[0], width = fields.get<std::size_t>("width");
  auto names = fields.get<std::vector<std::string>>("names");
  Expansion e{.kernel = Kernel::parse(fields.get<std::string>("kernel"))};
  if (!e.kernel.resolved()) fields.refuse("kernel", "has a parameter that is not a number");
  e.points = read_points(file, fields, "points", rows, cols, std::move(names));
  e.width = width;
  if (fields.has("self")) e.self = fields.real("self");
  const auto numbers = file.get<double>("coefficients", {rows, width});
  e.coefficients.assign(numbers.begin(), numbers.end());
  for (const std::int64_t block : file.get<std::int64_t>("blocks", {file.tensor("blocks").count()})) {
    if (block < 0) file.refuse("blocks", "holds a number below 0");
    e.blocks.push_back(std::size_t(block));
  }
  return e;
}

Scaling read_scaling(const Safetensors& file, const Fields& fields, std::size_t columns) {
  const auto kind = Scaling::Kind(fields.choice("scaling", scaling_names));
  if ((kind != Scaling::Kind::none) != file.has("scaling.scale"))
    file.refuse("scaling.scale",
                fmt::format("is {}, but the scaling is {}", file.has("scaling.scale") ? "there" : "missing",
                            scaling_names[int(kind)]));
  return Scaling(kind, read_numbers(file, "scaling.shift", {columns}),
                 read_numbers(file, "scaling.scale", {columns}));
}

/// Files of version 0.7 and before have the label.
CertificateKind certificate_named(const Fields& fields, const std::string& name) {
  for (auto kind = CertificateKind::none; kind <= CertificateKind::objective_change;
       kind = CertificateKind(int(kind) + 1))
    if (name_of(kind) == name || label_of(kind) == name) return kind;
  fields.refuse("certificate", fmt::format("is '{}', which no fit has", name));
}

const Json& list_of(const Fields& fields, const char* name) {
  if (!fields.at(name).is_array()) fields.refuse(name, "is not a list");
  return fields.at(name);
}

std::vector<Diagnostic> read_diagnostics(const Safetensors& file, const Fields& fields) {
  std::vector<Diagnostic> read;
  if (!fields.has("diagnostics")) return read;
  for (const Json& one : list_of(fields, "diagnostics")) {
    const Fields inside(file, one, "mercer.report.diagnostics[]");
    Diagnostic d{inside.get<std::string>("id"),
                 inside.get<std::string>("label"),
                 {},
                 inside.get<std::string>("unit"),
                 inside.get<std::vector<std::string>>("names"),
                 inside.get<bool>("list")};
    for (const Json& value : list_of(inside, "values"))
      d.values.push_back(Fields(file, Json{{"value", value}}, "mercer.report.diagnostics[]").real("value"));
    if ((d.values.empty() && !d.list) || (!d.names.empty() && d.names.size() != d.values.size()))
      inside.refuse("values", fmt::format("has {} numbers for {} names", d.values.size(), d.names.size()));
    read.push_back(std::move(d));
  }
  return read;
}

/// Files of version 0.7 and before have labels alone: "noise variance" is noise_variance.
std::vector<Diagnostic> read_facts(const Safetensors& file, const Fields& fields) {
  std::vector<Diagnostic> read;
  for (const Json& fact : list_of(fields, "facts")) {
    const Fields inside(file, fact, "mercer.report.facts[]");
    const auto label = inside.get<std::string>("name");
    std::string id = label;
    std::ranges::replace(id, ' ', '_');
    read.push_back({std::move(id), label, {inside.real("value")}});
  }
  return read;
}

FitReport read_report(const Safetensors& file, const Fields& fields) {
  FitReport r{.converged = fields.get<bool>("converged"),
              .cut_short = fields.get<bool>("cut_short"),
              .objective = fields.real("objective")};
  r.violation = fields.real("violation");
  r.gap = fields.real("gap");
  r.iterations = fields.get<std::size_t>("iterations");
  r.kernel_evaluations = fields.get<std::size_t>("kernel_evaluations");
  r.support_vectors = fields.get<std::size_t>("support_vectors");
  r.bounded_support_vectors = fields.get<std::size_t>("bounded_support_vectors");
  r.seconds = fields.real("seconds");
  for (std::string& warning : fields.get<std::vector<std::string>>("warnings"))
    r.warnings.push_back(std::move(warning));
  // What files of the first version did not have.
  if (fields.has("certificate"))
    r.certificate = certificate_named(fields, fields.get<std::string>("certificate"));
  if (fields.has("tolerance")) r.tolerance = fields.real("tolerance");
  if (fields.has("solver")) r.solver = fields.get<std::string>("solver");
  const auto optional = [&](const char* name) {
    return fields.has(name) ? std::optional(fields.real(name)) : std::nullopt;
  };
  r.norm = optional("norm");
  r.loss = optional("loss");
  r.degrees_of_freedom = optional("degrees_of_freedom");
  r.diagnostics = fields.has("facts") ? read_facts(file, fields) : read_diagnostics(file, fields);
  return r;
}

Argument read_number_or_none(const Fields& parameters, const char* name) {
  const Json& value = parameters.at(name);
  if (value == not_given || (value.is_number() && value.get<double>() == 0))
    return Word{std::string(not_given)};
  if (value == "0") return 0.0;
  return parameters.real(name);
}

AnyMethod read_method(const Fields& fields) {
  AnyMethod method = method_named(fields.get<std::string>("method"));
  const Fields parameters = fields.inside("parameters");
  for (const MethodParameter& parameter : method->parameters()) {
    const std::string name(parameter.name);
    if (may_be_left_out(*method, parameter))
      method->set(name, read_number_or_none(parameters, name.c_str()));
    else if (parameter.choices.empty())
      method->set(name, parameters.real(name.c_str()));
    else
      method->set(name, Word{parameters.get<std::string>(name.c_str())});
  }
  return method;
}

Schema read_schema(const Safetensors& file, const Fields& fields) {
  Schema schema{.columns = {},
                .target = fields.get<std::string>("target"),
                .weights = fields.get<std::string>("weights")};
  if (fields.has("first_index")) {
    schema.first_index = fields.get<int>("first_index");
    if (*schema.first_index != 0 && *schema.first_index != 1)
      fields.refuse("first_index", "is neither 0 nor 1");
  }
  const Json& columns = fields.at("columns");
  if (!columns.is_array()) fields.refuse("columns", "is not a list");
  for (const Json& column : columns) {
    const Fields inside(file, column, "mercer.schema.columns[]");
    schema.columns.push_back({inside.get<std::string>("name"),
                              inside.get<std::vector<std::string>>("categories"), inside.real("mean")});
    // What only tables read tolerantly have.
    if (inside.has("dates")) schema.columns.back().dates = Schema::Dates(inside.choice("dates", date_names));
    if (inside.has("objects"))
      schema.columns.back().objects = domain_named(inside.get<std::string>("objects"));
  }
  if (fields.has("bag")) schema.bag = fields.get<std::string>("bag");
  if (fields.has("left_out")) schema.left_out = fields.get<std::vector<std::string>>("left_out");
  return schema;
}

Json parse_description(const Safetensors& file) {
  const auto found = file.metadata().find(std::string(format_name));
  if (found == file.metadata().end())
    file.refuse(format_name, "is missing: a safetensors file, but not a model of Mercer");
  // Nothing in it nests deeper; a hostile text must not fill the stack.
  Json json = Json::parse(
      found->second, [](int depth, Json::parse_event_t, Json&) { return depth < 16; }, false);
  if (!json.is_object()) file.refuse(format_name, "is not a JSON object");
  return json;
}

// What a method knows beside the expansion.
void read_state(const Safetensors& file, const MethodTraits& traits, Fitted& fitted) {
  std::vector<double> numbers = read_numbers(file, "state", {file.tensor("state").count()});
  if (traits.expands) {
    fitted.centre = std::move(numbers);
    return;
  }
  const std::size_t width = fitted.expansion.width, rows = fitted.expansion.points.rows();
  auto kept = kept_targets(numbers, width, rows, traits.keeps_self);
  if (!kept)
    file.refuse("state", fmt::format("holds {} numbers, not those of {} rows and {} column{}", numbers.size(),
                                     rows, width, width == 1 ? "" : "s"));
  fitted.kept = std::move(*kept);
}

Model read(const Safetensors& file, const std::string& name) {
  const Json json = parse_description(file);
  const Fields fields(file, json, std::string(format_name));
  if (const auto found = fields.get<std::size_t>("format_version"); found != format_version)
    fields.refuse("format_version",
                  fmt::format("is {}; this version of Mercer reads {}", found, format_version));
  try {
    std::optional<FeatureMap> map = read_map(file, fields);
    Fitted fitted{
        .expansion = read_expansion(file, fields, map ? map->features() : fields.get<std::size_t>("columns")),
        .rule = Rule(fields.choice("rule", rule_names))};
    fitted.rho = read_numbers(file, "levels", {file.tensor("levels").count()});
    if (file.has("slopes") != file.has("offsets"))
      file.refuse(file.has("slopes") ? "offsets" : "slopes", "is missing");
    fitted.slopes = read_numbers(file, "slopes", {fitted.rho.size()});
    fitted.offsets = read_numbers(file, "offsets", {fitted.slopes.size()});
    if (const auto noise = read_numbers(file, "noise_scale", {1}); !noise.empty())
      fitted.noise_scale = noise[0];
    fitted.density_marks = read_numbers(file, "density_marks", {10});
    const std::size_t points = fitted.expansion.points.rows();
    if (file.has("precision")) fitted.precision = read_numbers(file, "precision", {points, points});
    AnyMethod method = read_method(fields);
    if (file.has("state")) read_state(file, method->traits(), fitted);
    fitted.report = read_report(file, fields.inside("report"));
    Model model{.method = std::move(method),
                .fitted = std::move(fitted),
                .map = std::move(map),
                .schema = read_schema(file, fields.inside("schema")),
                .labels = fields.get<std::vector<std::string>>("labels"),
                .columns = fields.get<std::size_t>("columns"),
                .rows = fields.get<std::size_t>("rows")};
    model.scaling = read_scaling(file, fields, model.columns);
    number_old_rows(model);
    check_consistency(model,
                      [&](std::string_view field, const std::string& what) { file.refuse(field, what); });
    return model;
  } catch (const Error& error) {
    // A kernel or a method that is not one, or points that contradict themselves: they do not know of the
    // file.
    throw error.in_file(name);
  }
}

}  // namespace

Model load_mercer(const std::string& path) { return read(Safetensors(path), path); }

Model model_of_bytes(std::string_view bytes, const std::string& name) {
  return read(Safetensors(name, bytes), name);
}

}  // namespace mercer
