// mercer_model_…, mercer_predict… and mercer_kernel_matrix().
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "capi/handles.hpp"
#include "capi/rows.hpp"
#include "mercer/json.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer::capi {

namespace {

std::string inspected(const HeldModel& held) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(json_of(held.model));
  json["notes"] = held.notes;
  json["selection"] = held.selection.empty() ? Json() : Json::parse(held.selection);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

mercer_output output_of(int output) {
  if (output < MERCER_VALUE || output > MERCER_VARIANCE)
    throw Error(ErrorCode::invalid_argument, fmt::format("output is {}, which no mercer_output is", output));
  return mercer_output(output);
}

bool has_variances(const Model& model) {
  const Fitted& fitted = model.fitted;
  return fitted.rule == Rule::value && !(fitted.precision.empty() && fitted.factor.empty());
}

// 0 where the model does not give these.
std::size_t width_of(const Model& model, mercer_output output) {
  const Fitted& fitted = model.fitted;
  switch (output) {
    case MERCER_VALUE:
      return model.labels.empty() ? fitted.rho.size() : 1;
    case MERCER_SCORE:
      return fitted.rho.size();
    case MERCER_PROBABILITY:
      if (!fitted.density_marks.empty()) return 2;
      return fitted.rule == Rule::softmax || fitted.rule == Rule::shares || !fitted.slopes.empty()
                 ? model.labels.size()
                 : 0;
    case MERCER_VARIANCE:
      return has_variances(model) ? model.method->prior_scales(fitted).size() : 0;
  }
  return 0;
}

[[noreturn]] void refuse_output(const Model& model, mercer_output output) {
  if (output == MERCER_PROBABILITY)
    throw Error(ErrorCode::unsupported,
                fmt::format("a model of {} has no probabilities", model.method->name()),
                {.hint = "fit it with {\"proba\": true}, or logistic or gp_classifier"});
  throw Error(ErrorCode::unsupported, fmt::format("a model of {} has no variances", model.method->name()),
              {.hint = "gp has"});
}

void predict(const Model& model, int wanted, const Points& points, int threads, double* out,
             std::size_t count) {
  const mercer_output output = output_of(wanted);
  if (threads < 0)
    throw Error(ErrorCode::invalid_argument, fmt::format("threads must be ≥ 0, not {}", threads));
  const std::size_t width = width_of(model, output);
  if (width == 0) refuse_output(model, output);
  check_room(points.rows(), width, out, count);
  if (output == MERCER_VARIANCE) {
    std::ranges::copy(model.variances(points, threads), out);
    return;
  }
  const Predictions made = model.predict(points, threads);
  if (output == MERCER_SCORE)
    std::ranges::copy(made.scores, out);
  else if (output == MERCER_PROBABILITY)
    std::ranges::copy(made.probabilities, out);
  else if (model.labels.empty())
    std::ranges::copy(made.values, out);
  else
    std::ranges::copy(made.codes, out);
}

// Sparse rows may have columns that no row of the model had: they are 0 there.
void predict_sparse(const Model& model, int output, const Points& points, bool before, int threads,
                    double* out, std::size_t count) {
  if (points.cols() > model.columns && model.schema.columns.empty() && !model.kernel().uses_precomputed())
    return predict(model.widened(points.cols(), before), output, points, threads, out, count);
  predict(model, output, points, threads, out, count);
}

int made(mercer_model** model, auto&& make) noexcept {
  return give_handle(model, "model",
                     [&] { return std::make_shared<const HeldModel>(HeldModel{.model = make()}); });
}

}  // namespace

}  // namespace mercer::capi

using namespace mercer;
using namespace mercer::capi;

int mercer_model_load(const char* path, mercer_model** model) {
  return made(model, [&] { return Model::load(&required(path, "path")); });
}

int mercer_model_save(const mercer_model* model, const char* path) {
  return guarded([&] { held(model)->model.save(&required(path, "path")); });
}

int mercer_model_to_bytes(const mercer_model* model, void* bytes, size_t size, size_t* needed) {
  return guarded([&] { give_bytes(held(model)->model.bytes(), bytes, size, needed); });
}

int mercer_model_from_bytes(const void* bytes, size_t size, mercer_model** model) {
  return made(model, [&] {
    const std::span all = required_array(static_cast<const char*>(bytes), size, "bytes");
    return Model::from_bytes({all.data(), all.size()});
  });
}

int mercer_model_inspect(const mercer_model* model, char* text, size_t size, size_t* needed) {
  return guarded([&] { give_text(inspected(*held(model)), text, size, needed); });
}

int mercer_model_columns(const mercer_model* model, size_t* columns) {
  return guarded([&] {
    const SharedModel found = held(model);
    required(columns, "columns") = found->model.columns;
  });
}

int mercer_model_width(const mercer_model* model, int output, size_t* width) {
  return guarded([&] {
    const SharedModel found = held(model);
    required(width, "width") = width_of(found->model, output_of(output));
  });
}

int mercer_model_classes(const mercer_model* model, size_t* classes) {
  return guarded([&] {
    const SharedModel found = held(model);
    required(classes, "classes") = found->model.labels.size();
  });
}

int mercer_model_label(const mercer_model* model, size_t index, char* text, size_t size, size_t* needed) {
  return guarded([&] {
    const SharedModel found = held(model);
    const std::vector<std::string>& labels = found->model.labels;
    if (index >= labels.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("there is no label {}: the model has {}", index, labels.size()));
    give_text(labels[index], text, size, needed);
  });
}

int mercer_model_free(mercer_model* model) {
  return guarded([&] { release(model); });
}

int mercer_predict(const mercer_model* model, int output, const mercer_data* data, int threads, double* out,
                   size_t count) {
  return guarded([&] {
    const SharedModel found = held(model);
    const SharedData rows = held(data);
    const bool open_ended = rows->points.sparse() || rows->schema.first_index;
    if (open_ended)
      predict_sparse(found->model, output, rows->points,
                     found->model.schema.first_index == 1 && rows->schema.first_index == 0, threads, out,
                     count);
    else
      predict(found->model, output, rows->points, threads, out, count);
  });
}

int mercer_predict_dense(const mercer_model* model, int output, const double* values, size_t rows,
                         size_t columns, int threads, double* out, size_t count) {
  return guarded([&] {
    predict(held(model)->model, output, borrowed_dense(values, rows, columns), threads, out, count);
  });
}

int mercer_predict_csr(const mercer_model* model, int output, const int64_t* starts, const int32_t* indices,
                       const double* values, size_t stored, size_t rows, size_t columns, int threads,
                       double* out, size_t count) {
  return guarded([&] {
    const Points points = borrowed_csr(starts, indices, values, stored, rows, columns);
    predict_sparse(held(model)->model, output, points, false, threads, out, count);
  });
}

int mercer_kernel_matrix(const char* kernel, const mercer_data* rows, const mercer_data* columns, int threads,
                         double* out, size_t count) {
  return guarded([&] {
    const Kernel parsed = Kernel::parse(&required(kernel, "kernel"));
    const SharedData x = held(rows), z = columns ? held(columns) : x;
    if (threads < 0)
      throw Error(ErrorCode::invalid_argument, fmt::format("threads must be ≥ 0, not {}", threads));
    check_room(x->rows(), z->rows(), out, count);
    const OperatorOptions options{.threads = threads};
    const Kernel resolved = parsed.resolve(z->points);
    const std::span<double> matrix(out, count);
    if (columns)
      KernelOperator<double>(resolved, x->points, z->points, options).matrix(matrix);
    else
      KernelOperator<double>(resolved, x->points, options).matrix(matrix);
  });
}
