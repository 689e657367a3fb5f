// A .mercer file: tensors `points` (point_tensors.hpp), `coefficients`, `levels`, `blocks` and, where columns
// are scaled, `scaling.shift` and `scaling.scale`; of a calibrated model `slopes` and `offsets`,
// `noise_scale` or `density_marks`; `precision` or `factor` of a Gaussian process, `state` of methods that
// need more to predict, `method.state` of those that go on learning or know more than the expansion says,
// `trend` of kernels that leave one free; `map.points` (landmarks) and `map.matrix` of Nyström features;
// `words.0.words`, … of word vectors (word_tensors.hpp); and one text `mercer` of JSON with everything else.
#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/version.hpp"
#include "methods/kept_rows.hpp"
#include "model/consistency.hpp"
#include "model/mercer_fields.hpp"
#include "model/model_file.hpp"
#include "model/word_tensors.hpp"

namespace mercer {

namespace {

constexpr std::string_view format_name = "mercer";
constexpr int format_version = 1;
constexpr std::string_view rule_names[] = {"value",   "novelty", "one_vs_one", "one_vs_rest",
                                           "softmax", "shares",  "rate",       "projection"};
constexpr std::string_view scaling_names[] = {"none", "standard", "minmax"};

// --- Reading.
// None where the file has no such tensor.
std::vector<double> read_numbers(const Safetensors& file, const char* name, std::vector<std::size_t> shape) {
  if (!file.has(name)) return {};
  const auto numbers = file.get<double>(name, shape);
  return {numbers.begin(), numbers.end()};
}

// With the columns of objects that `fields` list.
Points read_points(const Safetensors& file, const Fields& fields, const std::string& name, std::size_t rows,
                   std::size_t cols) {
  std::vector<ObjectColumn> objects;
  fields.later("objects", objects);
  return read_points(file, name, rows, cols, fields.get<std::vector<std::string>>("names"), objects);
}

using Functions = std::span<const UserFunction>;

Kernel read_kernel(const Fields& fields, Functions functions) {
  Kernel kernel = Kernel::parse(fields.get<std::string>("kernel"), functions);
  if (!kernel.resolved())
    fields.refuse("kernel",
                  "has a parameter that is not a number, or names a file that the model does not hold");
  return kernel;
}

std::optional<FeatureMap> read_map(const Safetensors& file, const Fields& fields, Functions functions) {
  if (!fields.has("map")) return {};
  const Fields inside = fields.inside("map");
  FeatureMap::State state{.text = inside.get<std::string>("text"),
                          .seed = inside.get<std::uint64_t>("seed"),
                          .columns = fields.get<std::size_t>("columns")};
  state.trace_left = inside.real("trace_left");
  inside.later("columns", state.names);
  if (file.has("map.matrix")) {
    const auto& matrix = file.tensor("map.matrix");
    if (matrix.shape.size() != 2) file.refuse("map.matrix", "is not a matrix");
    state.matrix = read_numbers(file, "map.matrix", matrix.shape);
    state.landmarks = read_points(file, inside, "map.points", matrix.shape[1], state.columns);
  }
  return FeatureMap::restore(std::move(state), read_kernel(inside, functions));
}

/// Files of version 0.7 and before have the number of a row of a kernel matrix, from 1, in its first column.
void number_old_rows(Model& model) {
  Expansion& e = model.fitted.expansion;
  if (!e.kernel.uses_precomputed() || !e.points.ids().empty() || e.points.cols() == 0) return;
  e.points = kernel_rows(e.points);
  --model.columns;
}

// `cols`: of the points.
Expansion read_expansion(const Safetensors& file, const Fields& fields, std::size_t cols,
                         Functions functions) {
  const auto& coefficients = file.tensor("coefficients");
  if (coefficients.shape.size() != 2) file.refuse("coefficients", "is not a matrix");
  Expansion e{.kernel = read_kernel(fields, functions)};
  e.points = read_points(file, fields, "points", coefficients.shape[0], cols);
  e.width = fields.get<std::size_t>("width");
  fields.later("self", e.self);
  e.coefficients = read_numbers(file, "coefficients", {coefficients.shape[0], e.width});
  for (const std::int64_t block : file.get<std::int64_t>("blocks", {file.tensor("blocks").count()})) {
    if (block < 0) file.refuse("blocks", "holds a number below 0");
    e.blocks.push_back(std::size_t(block));
  }
  e.trend = read_numbers(file, "trend", {cols, e.outputs()});
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

FitReport read_report(const Fields& fields) {
  auto report = fields.as<FitReport>();
  for (const Diagnostic& d : report.diagnostics)
    if ((d.values.empty() && !d.list) || (!d.names.empty() && d.names.size() != d.values.size()))
      fields.refuse("diagnostics[].values",
                    fmt::format("has {} numbers for {} names", d.values.size(), d.names.size()));
  if (!fields.has("facts")) return report;
  // Files of version 0.7 and before have labels alone: "noise variance" is noise_variance.
  for (const Fields& fact : fields.each("facts")) {
    const auto label = fact.get<std::string>("name");
    std::string id = label;
    std::ranges::replace(id, ' ', '_');
    report.add(std::move(id), label, fact.real("value"));
  }
  return report;
}

// One matrix of points × points below the other.
std::vector<double> read_precision(const Safetensors& file, std::size_t points) {
  if (!file.has("precision")) return {};
  const auto& shape = file.tensor("precision").shape;
  if (shape.size() != 2 || shape[1] != points || points == 0 || shape[0] % points != 0)
    file.refuse("precision", fmt::format("is not a matrix, or several, of {0} × {0}", points));
  return read_numbers(file, "precision", shape);
}

// Lower triangular, points × points.
std::vector<double> read_factor(const Safetensors& file, std::size_t points) {
  if (!file.has("factor")) return {};
  std::vector<double> L = read_numbers(file, "factor", {points, points});
  for (std::size_t i = 0; i < points; ++i)
    if (!(L[i * points + i] > 0)) file.refuse("factor", "has a diagonal entry that is not above 0");
  return L;
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

Schema read_schema(const Fields& fields) {
  auto schema = fields.as<Schema>();
  if (schema.first_index.value_or(0) != 0 && schema.first_index != 1)
    fields.refuse("first_index", "is neither 0 nor 1");
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

Model read(const Safetensors& file, const std::string& name, Functions functions) {
  const Json json = parse_description(file);
  const Fields fields(file, json, std::string(format_name));
  if (const auto found = fields.get<std::size_t>("format_version"); found != format_version)
    fields.refuse("format_version",
                  fmt::format("is {}; this version of Mercer reads {}", found, format_version));
  try {
    std::vector<std::string> checksums;
    fields.later("words", checksums);
    const std::vector<SharedWords> words = read_words(file, checksums);  // known while the kernels are parsed
    std::optional<FeatureMap> map = read_map(file, fields, functions);
    Fitted fitted{.expansion = read_expansion(
                      file, fields, map ? map->features() : fields.get<std::size_t>("columns"), functions),
                  .rule = Rule(fields.choice("rule", rule_names))};
    fitted.rho = read_numbers(file, "levels", {file.tensor("levels").count()});
    if (file.has("slopes") != file.has("offsets"))
      file.refuse(file.has("slopes") ? "offsets" : "slopes", "is missing");
    fitted.slopes = read_numbers(file, "slopes", {fitted.rho.size()});
    fitted.offsets = read_numbers(file, "offsets", {fitted.slopes.size()});
    if (const auto noise = read_numbers(file, "noise_scale", {1}); !noise.empty())
      fitted.noise_scale = noise[0];
    fitted.density_marks = read_numbers(file, "density_marks", {10});
    fitted.precision = read_precision(file, fitted.expansion.points.rows());
    fitted.factor = read_factor(file, fitted.expansion.points.rows());
    AnyMethod method = read_method(fields);
    if (file.has("state")) read_state(file, method->traits(), fitted);
    if (file.has("method.state"))
      fitted.state = read_numbers(file, "method.state", {file.tensor("method.state").count()});
    fitted.report = read_report(fields.inside("report"));
    Model model{.method = std::move(method),
                .fitted = std::move(fitted),
                .map = std::move(map),
                .schema = read_schema(fields.inside("schema")),
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

// --- Writing.
Json parameters_json(const Method& method) {
  FieldWriter to;
  for (const MethodParameter& parameter : method.parameters()) {
    const std::string name(parameter.name);
    const Argument value = method.get(name);
    const double* real = std::get_if<double>(&value);
    // Files of version 0.6 and before have the number 0 where nothing was given; so a 0 that was given is a
    // word.
    if (real && *real == 0 && may_be_left_out(method, parameter))
      to.json[name] = "0";
    else
      to.json[name] = real ? FieldWriter::made_of(*real) : Json(std::get<Word>(value).text);
  }
  return to.json;
}

std::vector<ObjectColumn> object_columns(const Points& points) {
  std::vector<ObjectColumn> columns;
  for (const Objects& column : points.objects()) columns.push_back({column.name(), column.domain()});
  return columns;
}

/// Of the kernel, and of the one that features approximate.
std::vector<SharedWords> words_of(const Model& model) {
  std::vector<SharedWords> words = word_vectors_in(model.fitted.expansion.kernel);
  if (model.map)
    for (const SharedWords& more : word_vectors_in(model.map->kernel()))
      if (std::ranges::find(words, more) == words.end()) words.push_back(more);
  return words;
}

Json description(const Model& model) {
  const Expansion& e = model.fitted.expansion;
  FieldWriter to;
  to("format_version", format_version);
  to("written_by", std::string("mercer ") + version());
  to("kernel", e.kernel.text());
  to("method", model.method->name());
  to("parameters", parameters_json(*model.method));
  to("rule", rule_names[int(model.fitted.rule)]);
  to("width", e.width);
  to("self", e.self);
  to("labels", model.labels);
  to("columns", model.columns);
  to("rows", model.rows);
  to("scaling", scaling_names[int(model.scaling.kind())]);
  to("schema", model.schema);
  to("names", e.points.names());
  to("report", model.fitted.report);
  if (!e.points.objects().empty()) to("objects", object_columns(e.points));
  std::vector<std::string> checksums;
  for (const SharedWords& words : words_of(model)) checksums.push_back(words->checksum());
  to.given("words", checksums);
  if (!model.map) return to.json;
  const FeatureMap::State& state = model.map->state();
  FieldWriter map;
  map("text", model.map->text());
  map("seed", state.seed);
  map("kernel", model.map->kernel().text());
  map("trace_left", model.map->trace_left());
  map("names", state.landmarks.names());
  map("objects", object_columns(state.landmarks));
  map.given("columns", state.names);
  to("map", map.json);
  return to.json;
}

// Hands the file's text and tensors, which live only as long as that takes, to `write`.
void write_with(const auto& write, const std::string& name, const Model& model) {
  const Expansion& e = model.fitted.expansion;
  check_numbers(model, [&](std::string_view field, const std::string& what) {
    throw Error(ErrorCode::invalid_file, fmt::format("the model cannot be saved: field '{}' {}", field, what),
                {.file = name, .hint = "scale the data before the fit"});
  });
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
  const std::vector<SharedWords> words = words_of(model);
  add_words(tensors, words, kept);
  if (model.map && !model.map->state().matrix.empty()) {
    const FeatureMap::State& state = model.map->state();
    add_points(tensors, "map.points", state.landmarks, kept);
    tensors.push_back(
        view("map.matrix", {model.map->features(), state.landmarks.rows()}, state.matrix.data()));
  }
  // Nothing where there are no numbers.
  const auto add = [&](const char* tensor, const std::vector<double>& numbers) {
    if (!numbers.empty()) tensors.push_back(view(tensor, {numbers.size()}, numbers.data()));
  };
  add("slopes", model.fitted.slopes);
  add("offsets", model.fitted.offsets);
  if (model.fitted.noise_scale) tensors.push_back(view("noise_scale", {1}, &*model.fitted.noise_scale));
  add("density_marks", model.fitted.density_marks);
  if (!model.fitted.precision.empty())
    tensors.push_back(view("precision", {model.fitted.precision.size() / e.points.rows(), e.points.rows()},
                           model.fitted.precision.data()));
  if (!model.fitted.factor.empty())
    tensors.push_back(view("factor", {e.points.rows(), e.points.rows()}, model.fitted.factor.data()));
  const std::vector<double> targets = to_numbers(model.fitted.kept);
  add("state", targets.empty() ? model.fitted.centre : targets);
  if (!e.trend.empty())
    tensors.push_back(view("trend", {e.trend.size() / e.outputs(), e.outputs()}, e.trend.data()));
  add("method.state", model.fitted.state);
  add("scaling.shift", model.scaling.shift());
  add("scaling.scale", model.scaling.scale());
  write(std::map<std::string, std::string>{{std::string(format_name), text}}, tensors);
}

}  // namespace

Model load_mercer(const std::string& path, Functions functions) {
  return read(Safetensors(path), path, functions);
}

Model Model::from_bytes(std::string_view bytes, const std::string& name, Functions functions) {
  return read(Safetensors(name, bytes), name, functions);
}

void save_mercer(const std::string& path, const Model& model) {
  write_with([&](const auto& metadata, const auto& tensors) { write_safetensors(path, metadata, tensors); },
             path, model);
}

std::string Model::bytes() const {
  std::string all;
  const Sink append = [&](std::string_view piece) { all += piece; };
  const std::string name = "the model";
  write_with(
      [&](const auto& metadata, const auto& tensors) { write_safetensors(append, name, metadata, tensors); },
      name, *this);
  return all;
}

}  // namespace mercer
