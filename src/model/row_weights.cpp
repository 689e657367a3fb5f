#include "model/row_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"

namespace mercer {

namespace {

std::string class_list(const std::vector<std::string>& labels) {
  std::string list;
  for (std::size_t c = 0; c < labels.size() && c < 8; ++c) list += (c ? ", " : "") + labels[c];
  return list + (labels.size() > 8 ? ", …" : "");
}

}  // namespace

std::vector<double> row_weights(const Dataset& data, const FitOptions& options) {
  std::vector<double> weights = data.weights;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw Error(ErrorCode::invalid_data, fmt::format("the weight of row {} is {:g}", i + 1, weights[i]),
                  {.hint = "weights are numbers ≥ 0"});
  if (options.class_weights.empty() && !options.balanced) return weights;
  if (data.target.task != Task::classification)
    throw Error(ErrorCode::unsupported, "class weights need classes, and the data have none");
  const auto& labels = data.target.labels;
  std::vector<double> factors(labels.size(), 1);
  if (options.balanced) {
    std::vector<double> counts(labels.size(), 0);
    for (const std::int32_t code : data.target.codes) counts[code] += 1;
    for (std::size_t c = 0; c < labels.size(); ++c)
      factors[c] = double(data.rows()) / (double(labels.size()) * counts[c]);
  }
  for (const auto& [label, factor] : options.class_weights) {
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a class weight is given for '{}', which is not a class", label),
                  {.hint = fmt::format("they are {}", class_list(labels))});
    if (!(factor > 0) || std::isinf(factor))
      throw Error(ErrorCode::invalid_parameter,
                  fmt::format("the weight of class '{}' is {:g}", label, factor), {.hint = "it must be > 0"});
    factors[std::size_t(found - labels.begin())] = factor;
  }
  if (weights.empty()) weights.assign(data.rows(), 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= factors[data.target.codes[i]];
  return weights;
}

}  // namespace mercer
