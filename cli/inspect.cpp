// mercer inspect MODEL: what a model file holds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "mercer/linear_functions.hpp"

namespace mercer::cli {

namespace {

std::string column_name(const Points& points, std::size_t j) {
  return points.names().empty() ? fmt::format("x{}", j + 1) : points.name(j);
}

const char* word(Rule rule) {
  switch (rule) {
    case Rule::value:
      return "numbers";
    case Rule::rate:
      return "rates of counts";
    case Rule::projection:
      return "coordinates in feature space";
    case Rule::novelty:
      return "inside (1) or outside (-1)";
    case Rule::one_vs_one:
      return "classes, by votes of all pairs";
    case Rule::softmax:
    case Rule::shares:
      return "classes, by probability";
    case Rule::one_vs_rest:
      break;
  }
  return "classes, by the largest score";
}

// The largest weights of a function of many columns.
std::string function_text(const LinearFunction& f, const Points& names) {
  constexpr std::size_t most = 10;
  std::vector<std::size_t> order(f.weights.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const bool cut = order.size() > most;
  if (cut)
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t j) { return std::abs(f.weights[j]); });
  order.resize(std::min(order.size(), most));
  std::string text;
  for (const std::size_t j : order)
    text += fmt::format("{}{:.6g}·{}", text.empty() ? "" : " + ", f.weights[j], column_name(names, j));
  return fmt::format("{} = {}{} + {:.6g}", f.subject, text,
                     cut ? fmt::format(" + … ({} more, smaller)", f.weights.size() - most) : "", f.intercept);
}

void show_functions(const Session& session, const std::vector<LinearFunction>& functions,
                    const Points& names) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(functions.size(), most); ++i)
    session.say(fmt::format("  {:<12}{}", i == 0 ? "weights" : "", function_text(functions[i], names)));
  if (functions.size() > most)
    session.say(fmt::format("  {:<12}… and {} more; --json has them all", "", functions.size() - most));
}

Json functions_json(const std::vector<LinearFunction>& functions) {
  Json list = Json::array();
  for (const LinearFunction& f : functions)
    list.push_back({{"score", f.subject}, {"weights", f.weights}, {"intercept", number(f.intercept)}});
  return list;
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("inspect", "show what a model file contains");
  auto path = std::make_shared<std::string>();
  command->add_option("MODEL", *path, "model file: .mercer, or LIBSVM's .model")
      ->required()
      ->type_name("MODEL");
  command->callback([&session, path] {
    const Model model = Model::load(*path);
    const FitReport& r = model.fitted.report;
    const Points& points = model.fitted.expansion.points;
    const auto line = [&](const char* name, const std::string& text) {
      session.say(fmt::format("  {:<12}{}", name, text));
    };
    std::string list;
    for (const MethodParameter& parameter : model.method->parameters())
      list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", parameter.name,
                          text_of(model.method->get(parameter.name)));
    std::string labels;
    for (const std::string& label : model.labels) labels += (labels.empty() ? "" : ", ") + label;
    session.say(fmt::format("{}: {}", *path, model.method->name()));
    line("parameters", list);
    line("kernel", model.kernel().text());
    if (model.map)
      line("approx", fmt::format("{}: {} features, {:.2g} of the trace not covered", model.map->text(),
                                 model.map->features(), model.map->trace_left()));
    line("predicts", word(model.fitted.rule));
    if (!labels.empty()) line("classes", labels);
    line("expansion", fmt::format("{} rows × {} columns, {}", points.rows(), model.columns,
                                  points.sparse() ? "sparse" : "dense"));
    const std::vector<LinearFunction> functions = linear_functions(model);
    show_functions(session, functions, model.map ? Points() : points);
    if (model.fitted.noise_scale) line("noise", noise_text(*model.fitted.noise_scale));
    if (model.rows > 0)
      for (const auto& [name, text] : report_lines(r)) line(name.c_str(), text);
    Json json{{"method", model.method->name()},
              {"parameters", parameters_json(*model.method)},
              {"kernel", model.kernel().text()},
              {"classes", model.labels},
              {"points", points.rows()},
              {"columns", model.columns},
              {"rows", model.rows},
              {"noise_scale", noise_json(model)},
              {"approx", model.map ? Json(model.map->text()) : Json()}};
    if (!functions.empty()) json["linear"] = functions_json(functions);
    json.update(report_json(r));
    session.answer(json);
  });
}

}  // namespace mercer::cli
