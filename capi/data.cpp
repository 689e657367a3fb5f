// mercer_data_…: data from files and arrays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "capi/handles.hpp"
#include "capi/options.hpp"
#include "capi/rows.hpp"
#include "mercer/kernel_objects.hpp"

namespace mercer::capi {

namespace {

const std::vector<std::pair<std::string, Format>> formats{
    {"auto", Format::automatic}, {"csv", Format::csv},   {"tsv", Format::tsv},
    {"libsvm", Format::libsvm},  {"npy", Format::npy},   {"npz", Format::npz},
    {"fasta", Format::fasta},    {"sets", Format::sets}, {"graphs", Format::graphs},
    {"images", Format::images}};
const std::vector<std::pair<std::string, Missing>> missings{{"auto", Missing::automatic},
                                                            {"refuse", Missing::refuse},
                                                            {"mean", Missing::mean},
                                                            {"drop", Missing::drop}};
const std::vector<std::pair<std::string, Precision>> precisions{{"float32", Precision::float32},
                                                                {"float64", Precision::float64}};
const std::vector<std::pair<std::string, Task>> tasks{
    {"auto", Task::none}, {"classes", Task::classification}, {"real", Task::regression}};

// What reading for a fit and reading for a model have in common.
ReadOptions usual_options(Options& options) {
  ReadOptions read{.format = options.choice("format", formats, Format::automatic),
                   .target = options.text("target"),
                   .task = options.choice("task", tasks, Task::none),
                   .missing = options.choice("missing", missings, Missing::automatic),
                   .tolerant = true,
                   .skip_bad = options.flag("skip_bad")};
  read.threads = int(options.count("threads").value_or(0));
  return read;
}

ReadOptions::Kept kept_objects(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos)
    throw Error(ErrorCode::invalid_argument, fmt::format("objects: '{}' has no kind", text),
                {.hint = "write COLUMN:KIND, e.g. title:text"});
  return {text.substr(0, colon), domain_named(text.substr(colon + 1))};
}

Dataset read_file(const std::string& path, Options& options) {
  ReadOptions read = usual_options(options);
  read.weights = options.text("weights");
  read.drop = options.texts("drop");
  read.keep = options.texts("keep");
  for (const std::string& text : options.texts("objects")) read.objects.push_back(kept_objects(text));
  read.bag = options.text("bag");
  read.precision = options.choice("precision", precisions, Precision::float64);
  const std::string kernel = options.text("kernel");
  options.refuse_others();
  read.find_objects = kernel.empty();
  if (!kernel.empty())
    for (ReadOptions::Kept& kept : objects_compared(Kernel::parse(kernel)))
      if (std::ranges::none_of(read.objects, [&](const ReadOptions::Kept& known) {
            return kept.column.empty() || known.column == kept.column;
          }))
        read.objects.push_back(std::move(kept));
  return mercer::read(path, read);
}

Dataset read_file_for(const Model& model, const std::string& path, Options& options) {
  ReadOptions read = usual_options(options);
  options.refuse_others();
  if (!model.schema.columns.empty())
    read.schema = &model.schema;
  else if (read.missing == Missing::automatic)
    read.missing = Missing::refuse;  // the model knows of no means
  read.from_zero = model.schema.first_index == 0;
  read.columns = model.columns;
  if (!model.labels.empty()) read.task = Task::classification;
  return mercer::read(path, read);
}

// The mean of each column: what stands in for values that are missing in files read later.
std::vector<double> column_means(const Points& points) {
  std::vector<double> means(points.cols()), row(points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points.copy_row(i, row);
    for (std::size_t c = 0; c < row.size(); ++c) means[c] += row[c] / double(points.rows());
  }
  return means;
}

// The data of a handle with a part of them changed.
template <class Change>
void change(const mercer_data* handle, Change&& how) {
  Dataset changed = *held(handle);
  how(changed);
  replace(handle, std::make_shared<const Dataset>(std::move(changed)));
}

void check_rows(const Dataset& data, std::size_t rows, const char* what) {
  if (rows != data.rows())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there are {} {} for {} rows", rows, what, data.rows()));
}

template <class T>
Buffer<T> copied(const Buffer<T>& from) {
  Buffer<T> copy(from.size());
  std::ranges::copy(from, copy.begin());
  return copy;
}

Points renamed(const Points& points, std::vector<std::string> names) {
  const auto copy = [](const auto& stored) -> Points::Storage {
    if constexpr (is_sparse<std::decay_t<decltype(stored)>>)
      return std::decay_t<decltype(stored)>{stored.rows, stored.cols, copied(stored.starts),
                                            copied(stored.indices), copied(stored.values)};
    else
      return std::decay_t<decltype(stored)>{stored.rows, stored.cols, copied(stored.values)};
  };
  return Points(std::visit(copy, points.storage()), std::move(names));
}

void set_names(Dataset& data, std::vector<std::string> names) {
  if (!data.points.objects().empty())
    throw Error(ErrorCode::unsupported, "the columns of a file have their names");
  if (names.size() != data.points.cols())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there are {} names for {} columns", names.size(), data.points.cols()));
  std::set<std::string> distinct;
  for (const std::string& name : names)
    if (!distinct.insert(name).second)
      throw Error(ErrorCode::invalid_argument, fmt::format("two columns have the name '{}'", name));
  const std::vector<double> means = column_means(data.points);
  data.schema.columns.clear();
  for (std::size_t c = 0; c < names.size(); ++c)
    data.schema.columns.push_back({.name = names[c], .categories = {}, .mean = means[c]});
  data.points = renamed(data.points, std::move(names));
}

void set_classes(Dataset& data, std::span<const std::int32_t> codes, std::vector<std::string> labels) {
  check_rows(data, codes.size(), "codes");
  const std::set<std::string> distinct(labels.begin(), labels.end());
  if (distinct.size() != labels.size()) throw Error(ErrorCode::invalid_argument, "two labels are the same");
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i] < 0 || std::size_t(codes[i]) >= labels.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("codes[{}] is {}, but there are {} labels", i, codes[i], labels.size()),
                  {.row = i + 1});
  data.target = {.task = Task::classification,
                 .name = data.target.name,
                 .labels = std::move(labels),
                 .codes = {codes.begin(), codes.end()}};
}

void set_numbers(Dataset& data, std::span<const double> values, std::size_t rows, std::size_t outputs) {
  check_rows(data, rows, "targets");
  if (outputs == 0) throw Error(ErrorCode::invalid_argument, "a target has at least one number a row");
  data.target = {.task = Task::regression,
                 .name = data.target.name,
                 .values = {values.begin(), values.end()},
                 .outputs = outputs};
}

void set_weights(Dataset& data, std::span<const double> weights) {
  check_rows(data, weights.size(), "weights");
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("weights[{}] is {}, but weights are finite and at least 0", i, weights[i]),
                  {.row = i + 1});
  data.weights = {weights.begin(), weights.end()};
}

std::string inspected(const Dataset& data) {
  using Json = nlohmann::ordered_json;
  Json objects = Json::array();
  for (const Objects& column : data.points.objects()) objects.push_back(column.name());
  const Json json{{"rows", data.rows()},
                  {"columns", data.points.cols()},
                  {"names", data.points.names()},
                  {"objects", objects},
                  {"sparse", data.points.sparse()},
                  {"precision", data.points.precision() == Precision::float32 ? "float32" : "float64"},
                  {"task", data.target.task == Task::classification ? Json("classes")
                           : data.target.task == Task::regression   ? Json("real")
                                                                    : Json()},
                  {"target", data.target.name},
                  {"classes", data.target.labels},
                  {"outputs", data.target.outputs},
                  {"weighted", !data.weights.empty()},
                  {"notes", said(data.notes)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int made(mercer_data** data, auto&& make) noexcept {
  return give_handle(data, "data", [&] { return std::make_shared<const Dataset>(make()); });
}

}  // namespace

}  // namespace mercer::capi

using namespace mercer;
using namespace mercer::capi;

int mercer_data_read(const char* path, const char* options, mercer_data** data) {
  return made(data, [&] {
    Options given(options);
    return read_file(&required(path, "path"), given);
  });
}

int mercer_data_read_for(const mercer_model* model, const char* path, const char* options,
                         mercer_data** data) {
  return made(data, [&] {
    Options given(options);
    return read_file_for(held(model)->model, &required(path, "path"), given);
  });
}

int mercer_data_dense(const double* values, size_t rows, size_t columns, mercer_data** data) {
  return made(data, [&] { return Dataset{.points = copied_dense(values, rows, columns)}; });
}

int mercer_data_dense_float(const float* values, size_t rows, size_t columns, mercer_data** data) {
  return made(data, [&] { return Dataset{.points = copied_dense(values, rows, columns)}; });
}

int mercer_data_csr(const int64_t* starts, const int32_t* indices, const double* values, size_t stored,
                    size_t rows, size_t columns, mercer_data** data) {
  return made(data,
              [&] { return Dataset{.points = copied_csr(starts, indices, values, stored, rows, columns)}; });
}

int mercer_data_set_names(mercer_data* data, const char* const* names, size_t columns) {
  return guarded([&] {
    change(data, [&](Dataset& changed) { set_names(changed, texts_of(names, columns, "names")); });
  });
}

int mercer_data_set_classes(mercer_data* data, const int32_t* codes, size_t rows, const char* const* labels,
                            size_t classes) {
  return guarded([&] {
    change(data, [&](Dataset& changed) {
      set_classes(changed, required_array(codes, rows, "codes"), texts_of(labels, classes, "labels"));
    });
  });
}

int mercer_data_set_numbers(mercer_data* data, const double* values, size_t rows, size_t outputs) {
  return guarded([&] {
    change(data, [&](Dataset& changed) {
      const std::size_t count = product(rows, outputs, "values");
      set_numbers(changed, required_array(values, count, "values"), rows, outputs);
    });
  });
}

int mercer_data_set_weights(mercer_data* data, const double* weights, size_t rows) {
  return guarded([&] {
    change(data, [&](Dataset& changed) { set_weights(changed, required_array(weights, rows, "weights")); });
  });
}

int mercer_data_size(const mercer_data* data, size_t* rows, size_t* columns) {
  return guarded([&] {
    const SharedData found = held(data);
    required(rows, "rows") = found->rows();
    required(columns, "columns") = found->points.cols();
  });
}

int mercer_data_inspect(const mercer_data* data, char* text, size_t size, size_t* needed) {
  return guarded([&] { give_text(inspected(*held(data)), text, size, needed); });
}

int mercer_data_free(mercer_data* data) {
  return guarded([&] { release(data); });
}
