#include "capi/fit_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "mercer/default_kernel.hpp"

namespace mercer::capi {

namespace {

using Json = nlohmann::ordered_json;

// The words of LIBSVM's users for a parameter have another meaning: as in the command line, the tube of a
// regression is not to be confused with a tolerance.
std::string word_of(std::string_view parameter) {
  return parameter == "epsilon" ? "tube" : std::string(parameter);
}

// {"spam": 2, "ham": 1} or "balanced"
void take_class_weights(Options& options, FitOptions& fit) {
  const std::string word = "class_weight";
  const Json& given = options.json(word);
  if (given.is_null()) return;
  if (given.is_string() && given == "balanced") {
    fit.balanced = true;
    return;
  }
  if (!given.is_object()) options.refuse(word, "must be \"balanced\" or an object with a number for labels");
  for (const auto& [label, weight] : given.items()) {
    if (!weight.is_number())
      options.refuse(word, "must be \"balanced\" or an object with a number for labels");
    fit.class_weights.emplace_back(label, weight.get<double>());
  }
}

// {"C": [1, 10, 100]}, or texts as the command line has them: "C=2^-5:2^15:2"
std::vector<GridAxis> axes_of(Options& options) {
  const std::string word = "grid",
                    rule =
                        "must be texts such as \"C=1,10\", or an object with a list of numbers for each name";
  std::vector<GridAxis> axes;
  if (const Json& given = options.json(word); given.is_object()) {
    for (const auto& [name, values] : given.items()) {
      if (!values.is_array() || values.empty() ||
          !std::ranges::all_of(values, [](const Json& value) { return value.is_number(); }))
        options.refuse(word, rule);
      axes.push_back({name, values.get<std::vector<double>>()});
    }
  } else {
    for (const std::string& text : options.texts(word)) axes.push_back(parse_axis(text));
  }
  for (GridAxis& axis : axes)
    if (axis.parameter == "tube") axis.parameter = "epsilon";
  return axes;
}

// Numbers that JSON lacks are texts here too: "C": "inf".
Argument argument_of(Options& options, const std::string& word, const MethodParameter& parameter) {
  const Json& given = options.json(word);
  if (given.is_number()) return given.get<double>();
  if (given.is_boolean() && !parameter.choices.empty()) return Word{given.get<bool>() ? "yes" : "no"};
  if (!given.is_string()) options.refuse(word, "must be a number or a word");
  const auto text = given.get<std::string>();
  if (text == "inf" || text == "Infinity") return HUGE_VAL;
  return Word{text};
}

std::size_t half_of_memory() {
  return std::size_t(::sysconf(_SC_PHYS_PAGES)) / 2 * std::size_t(::sysconf(_SC_PAGESIZE));
}

}  // namespace

FitWords::FitWords(Options& options) {
  method = options.text("method");
  kernel = options.text("kernel");
  scale = options.text("scale", "auto");
  fit.tolerance = options.number("tolerance");
  fit.threads = int(options.count("threads").value_or(0));
  fit.memory = options.count("memory", 1).value_or(half_of_memory());
  fit.seed = options.count("seed").value_or(1);
  fit.solver = options.text("solver", "auto");
  fit.approx = options.text("approx");
  fit.repair = options.text("repair");
  fit.allow_indefinite = options.flag("allow_indefinite");
  fit.allow_nonconvex = options.flag("allow_nonconvex");
  fit.probabilities = options.flag("proba");
  if (const std::optional<double> time = options.number("time")) {
    if (!(*time > 0)) options.refuse("time", "must be a number of seconds > 0");
    fit.seconds = *time;
  }
  take_class_weights(options, fit);
  tune = options.flag("tune");
  axes = axes_of(options);
  cv = options.count("cv", 2);
  repeats = options.count("repeats", 1).value_or(1);
  metric = options.text("metric");
  holdout = options.number("holdout").value_or(0);
  if (options.has("holdout") && !(holdout > 0 && holdout < 1))
    options.refuse("holdout", "must be a fraction between 0 and 1");
  if (!method.empty()) method_named(method);  // an unknown one is refused before its parameters are
  std::set<std::string_view> seen;
  for (const AnyMethod& one : methods())
    for (const MethodParameter& parameter : one->parameters()) {
      const std::string word = word_of(parameter.name);
      if (seen.insert(parameter.name).second && options.has(word))
        parameters.emplace_back(parameter.name, argument_of(options, word, parameter));
    }
  options.refuse_others();
}

bool FitWords::searches(const Dataset& data) const {
  if (tune || !axes.empty() || kernel == "auto") return true;
  return method.empty() && !names_kernel() && parameters.empty() && fit.approx.empty() &&
         fit.solver == "auto" && data.target.task != Task::none;
}

AnyMethod FitWords::chosen_method(const Dataset& data) const {
  std::string name = method;
  if (name.empty())
    name = data.target.task == Task::classification ? "svm"
           : data.target.task == Task::regression   ? "svr"
                                                    : "one_class";
  AnyMethod chosen = method_named(name);
  for (const auto& [parameter, value] : parameters) chosen->set(parameter, value);
  return chosen;
}

Kernel FitWords::chosen_kernel(const Dataset& data) const {
  return names_kernel() ? Kernel::parse(kernel) : default_kernel(data.points);
}

Scaling::Kind FitWords::chosen_scaling() const {
  return scale == "auto" ? Scaling::Kind::none : Scaling::kind_named(scale);
}

AutomaticOptions FitWords::automatic(const Dataset& data, const Progress& progress) const {
  if (!fit.repair.empty())
    throw Error(ErrorCode::unsupported, "repair cannot be combined with a search or an evaluation",
                {.hint = "name the method, the kernel and their hyperparameters"});
  AutomaticOptions options{.search = searches(data), .axes = axes, .holdout = holdout};
  if (!method.empty() || !parameters.empty() || !options.search) options.method = chosen_method(data);
  for (const auto& [parameter, value] : parameters) options.fixed.push_back(parameter);
  if (names_kernel() || !options.search) options.kernel = chosen_kernel(data);
  if (scale != "auto" || !options.search) options.scaling = chosen_scaling();
  options.tune.metric = metric;
  options.tune.folds = cv.value_or(5);
  options.tune.repeats = repeats;
  options.tune.fit = fit;
  options.tune.fit.progress = progress;
  options.fit_progress = progress;
  options.assessment_progress = progress;
  return options;
}

}  // namespace mercer::capi
