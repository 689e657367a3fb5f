// mercer inspect MODEL: what a model file holds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/fit_summary.hpp"
#include "mercer/json.hpp"
#include "mercer/linear_functions.hpp"

namespace mercer::cli {

namespace {

std::string column_name(const Points& points, std::size_t j) {
  return points.names().empty() ? fmt::format("x{}", j + 1) : points.name(j);
}

constexpr const char* predicted[] = {
    // of Rule
    "numbers",
    "inside (1) or outside (-1)",
    "classes, by votes of all pairs",
    "classes, by the largest score",
    "classes, by probability",
    "classes, by probability",
    "rates of counts",
    "coordinates in feature space",
};

// The largest weights of a function of many columns.
std::string function_text(const LinearFunction& f, bool largest_first, auto&& name_of) {
  constexpr std::size_t most = 10;
  std::vector<std::size_t> order(f.weights.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const bool cut = order.size() > most;
  if (cut || largest_first)
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t j) { return std::abs(f.weights[j]); });
  order.resize(std::min(order.size(), most));
  std::string text;
  for (const std::size_t j : order)
    text += fmt::format("{}{:.6g}·{}", text.empty() ? "" : " + ", f.weights[j], name_of(j));
  return fmt::format("{} = {}{} + {:.6g}", f.subject, text,
                     cut ? fmt::format(" + … ({} more, smaller)", f.weights.size() - most) : "", f.intercept);
}

void show_functions(const Session& session, const std::vector<LinearFunction>& functions, bool largest_first,
                    auto&& name_of) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(functions.size(), most); ++i)
    session.say_line(i == 0 ? "weights" : "", function_text(functions[i], largest_first, name_of));
  if (functions.size() > most)
    session.say_line("", fmt::format("… and {} more; --json has them all", functions.size() - most));
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("inspect", "show what a model file contains");
  auto path = std::make_shared<std::string>();
  add_model(*command, *path);
  command->callback([&session, path] {
    const Model model = Model::load(*path);
    const FitReport& r = model.fitted.report;
    const Points& points = model.fitted.expansion.points;
    const auto parameters = values_of(model.method->parameters(), [&](const MethodParameter& parameter) {
      return fmt::format("{} = {}", parameter.name, text_of(model.method->get(parameter.name)));
    });
    session.say(fmt::format("{}: {}", *path, model.method->name()));
    session.say_line("parameters", fmt::format("{}", fmt::join(parameters, ", ")));
    session.say_line("kernel", model.kernel().text());
    if (model.map)
      session.say_line("approx",
                       fmt::format("{}: {} features, {:.2g} of the trace not covered", model.map->text(),
                                   model.map->features(), model.map->trace_left()));
    session.say_line("predicts", predicted[int(model.fitted.rule)]);
    if (!model.labels.empty()) session.say_line("classes", fmt::format("{}", fmt::join(model.labels, ", ")));
    session.say_line("expansion", fmt::format("{} rows × {} columns, {}", points.rows(), model.columns,
                                              points.sparse() ? "sparse" : "dense"));
    const std::vector<LinearFunction> functions = linear_functions(model);
    const Points named = model.map ? Points() : points;
    show_functions(session, functions, false, [&](std::size_t j) { return column_name(named, j); });
    const FeatureFunctions over = feature_functions(model);
    show_functions(session, over.functions, true,
                   [&](std::size_t j) { return fmt::format("φ({})", over.names[j]); });
    if (model.fitted.noise_scale) session.say_line("noise", noise_text(*model.fitted.noise_scale));
    if (model.rows > 0)
      for (const auto& [name, text] : report_lines(r)) session.say_line(name, text);
    session.answer(Json::parse(json_of(model, flag_words)));
  });
}

}  // namespace mercer::cli
