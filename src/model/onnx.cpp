#include "mercer/onnx.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "mercer/error.hpp"
#include "mercer/file.hpp"
#include "model/onnx_decision.hpp"
#include "model/onnx_features.hpp"
#include "model/onnx_kernel.hpp"
#include "model/onnx_outputs.hpp"
#include "model/onnx_rows.hpp"

namespace mercer {

namespace {

void check_model(const Model& model, const OnnxOptions& options) {
  if (options.variances)
    throw Error(ErrorCode::unsupported, "an ONNX graph has the predictions of a model, not their variances",
                {.hint = "predict variances with Mercer"});
  for (const Schema::Column& column : model.schema.columns)
    if (column.objects)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("the model compares objects (column '{}'), and ONNX has tensors of numbers alone",
                      column.name),
          {.value = model.kernel().text(),
           .hint = "make features of the objects first and fit a model of these, or predict with Mercer"});
  onnx::check_kernel(model.kernel(), model.fitted.expansion.points);
}

std::string list_of(const std::vector<std::string>& words) {
  return nlohmann::json(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string to_onnx(const Model& model, const OnnxOptions& options) {
  check_model(model, options);
  onnx::Graph graph;
  const onnx::Element element = options.float32 ? onnx::Element::float32 : onnx::Element::float64;
  const onnx::RowInputs inputs = onnx::write_rows(graph, model, element);
  const onnx::Table seen = model.map ? onnx::features(graph, *model.map, inputs.rows) : inputs.rows;
  onnx::write_decision(graph, model, onnx::method_outputs(graph, model, seen), element);
  const std::string kernel = model.kernel().text();
  onnx::ModelInfo info{
      .description = fmt::format("{}, kernel {}", model.method->name(), kernel),
      .metadata = {{"mercer.method", std::string(model.method->name())}, {"mercer.kernel", kernel}}};
  if (!inputs.numbers.empty()) info.metadata.emplace_back("mercer.X", list_of(inputs.numbers));
  if (!inputs.categories.empty()) info.metadata.emplace_back("mercer.categories", list_of(inputs.categories));
  if (!model.labels.empty()) info.metadata.emplace_back("mercer.labels", list_of(model.labels));
  return onnx::model_bytes(graph, info);
}

void save_onnx(const std::string& path, const Model& model, const OnnxOptions& options) {
  write_file(path, to_onnx(model, options));
}

}  // namespace mercer
