#include "model/continuation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "model/fit_steps.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse_to_go_on(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::invalid_argument, "the model to go on from " + what, {.hint = hint});
}

std::string text_of(const Argument& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
  return std::get<Word>(value).text;
}

void check_same(const Model& earlier, const Method& method, const Kernel& kernel, const FitOptions& options,
                Scaling::Kind scaling) {
  if (earlier.method->name() != method.name())
    refuse_to_go_on(fmt::format("was fitted by {}, not by {}", earlier.method->name(), method.name()),
                    "go on with its own method");
  for (const MethodParameter& parameter : method.parameters()) {
    if (parameter.name == "budget" || parameter.name == "epochs") continue;
    const std::string before = text_of(earlier.method->get(parameter.name)),
                      now = text_of(method.get(parameter.name));
    if (before != now)
      refuse_to_go_on(fmt::format("was fitted with {}={}, not {}", parameter.name, before, now),
                      "only budget and epochs may change");
  }
  if (!(kernel == earlier.kernel()))
    refuse_to_go_on(fmt::format("has the kernel {}, not {}", earlier.kernel().text(), kernel.text()),
                    "go on with its own kernel");
  if (scaling != Scaling::Kind::none && scaling != earlier.scaling.kind())
    refuse_to_go_on("scales its columns in another way", "leave the scaling out: that of the model is kept");
  if (!options.approx.empty() && options.approx != (earlier.map ? earlier.map->text() : "none"))
    refuse_to_go_on(fmt::format("has the kernel approximation {}, not {}",
                                earlier.map ? earlier.map->text() : "none", options.approx),
                    "leave it out: that of the model is kept");
  if (options.probabilities)
    refuse_to_go_on("cannot be calibrated on: probabilities need all rows", "leave the probabilities out");
  if (!options.repair.empty()) refuse_to_go_on("has no repaired kernel", "leave the repair out");
}

// The target in the classes of the model.
Target in_classes_of(const Model& earlier, const Target& target) {
  if (earlier.labels.empty() && target.task == Task::classification && earlier.fitted.rule == Rule::value)
    return {Task::regression, target.name, {}, {}, target.numbers()};
  if (earlier.labels.empty()) {
    if (target.outputs != earlier.fitted.expansion.width)
      throw Error(ErrorCode::wrong_target,
                  fmt::format("the target has {} columns, but the model to go on from has {}", target.outputs,
                              earlier.fitted.expansion.width),
                  {.hint = "they must have the same"});
    return target;
  }
  if (target.task != Task::classification)
    throw Error(ErrorCode::wrong_target, "the model to go on from has classes, but the target is numeric",
                {.hints = {{Remedy::read_as_classes}}});
  std::vector<std::int32_t> known;
  for (const std::string& label : target.labels) {
    const auto found = std::ranges::find(earlier.labels, label);
    known.push_back(found == earlier.labels.end() ? -1 : std::int32_t(found - earlier.labels.begin()));
  }
  Target same{.task = Task::classification, .name = target.name, .labels = earlier.labels};
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    const auto code = std::size_t(target.codes[row]);
    if (known[code] < 0)
      throw Error(ErrorCode::wrong_target,
                  fmt::format("row {} has the class '{}', but the model to go on from has the classes {}",
                              row + 1, target.labels[code], fmt::join(earlier.labels, ", ")),
                  {.row = row + 1, .hints = {{Remedy::name_classes}}});
    same.codes.push_back(known[code]);
  }
  return same;
}

}  // namespace

Model learn_on(const Model& earlier, const AnyMethod& method, const Kernel& kernel, const Dataset& data,
               const FitOptions& options, Scaling::Kind scaling) {
  check_same(earlier, *method, kernel, options, scaling);
  if (data.points.cols() != earlier.columns)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the rows have {} columns, but the model to go on from has {}",
                            data.points.cols(), earlier.columns),
                {.hint = "they must have the same"});
  const Target target = in_classes_of(earlier, data.target);
  const Points scaled = earlier.scaling.apply(data.points),
               points = earlier.map ? earlier.map->apply(scaled, options.threads) : scaled;
  Dataset known = data;
  known.target = target;
  Model model = earlier;
  model.method = method;
  model.fitted = method->fit({points, target, row_weights(known, options), earlier.fitted.expansion.kernel,
                              options, method->traits().tolerance, &earlier.fitted});
  model.rows += data.rows();
  return model;
}

}  // namespace mercer
