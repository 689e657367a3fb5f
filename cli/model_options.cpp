#include "cli/model_options.hpp"

#include <algorithm>

#include "mercer/error.hpp"

namespace mercer::cli {

Dataset load_for(Model& model, DataOptions& options, const Session& session, bool needs_target) {
  if (!model.schema.columns.empty()) {
    options.read.schema = &model.schema;
    if (options.read.target.empty() && !model.schema.target.empty() && needs_target) options.read.target = model.schema.target;
  }
  options.read.columns = model.columns;
  if (!model.labels.empty()) options.read.task = Target::Kind::classes;
  Dataset data = options.load(session);
  if (model.schema.columns.empty() && data.points.sparse()) model = model.widened(data.points.cols());
  return data;
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

}  // namespace mercer::cli
