// mercer inspect MODEL: what a model file holds.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"

namespace mercer::cli {

namespace {

const char* word(Rule rule) {
  switch (rule) {
    case Rule::value: return "numbers";
    case Rule::rate: return "the rate of counts";
    case Rule::projection: return "coordinates in feature space";
    case Rule::novelty: return "inside (1) or outside (-1)";
    case Rule::one_vs_one: return "votes of all pairs of classes";
    case Rule::softmax:
    case Rule::shares: return "the most probable class";
    case Rule::one_vs_rest: break;
  }
  return "the largest of one score per class";
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("inspect", "say what a model file holds");
  auto path = std::make_shared<std::string>();
  command->add_option("MODEL", *path, "model file: .mercer or LIBSVM's")->required();
  command->callback([&session, path] {
    const Model model = Model::load(*path);
    const FitReport& r = model.fitted.report;
    const Points& points = model.fitted.expansion.points;
    const auto line = [&](const char* name, const std::string& text) { session.say(fmt::format("  {:<12}{}", name, text)); };
    std::string list;
    for (const MethodParameter& parameter : model.method->parameters())
      list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", parameter.name, text_of(model.method->get(parameter.name)));
    std::string labels;
    for (const std::string& label : model.labels) labels += (labels.empty() ? "" : ", ") + label;
    session.say(fmt::format("{}: {}", *path, model.method->name()));
    line("parameters", list);
    line("kernel", model.kernel().text());
    if (model.map) line("features", fmt::format("{}: {} in place of the kernel, {:.2g} of the trace left over", model.map->text(), model.map->features(), model.map->trace_left()));
    line("predicts", word(model.fitted.rule));
    if (!labels.empty()) line("classes", labels);
    line("expansion", fmt::format("{} points × {} columns, {}", points.rows(), model.columns, points.sparse() ? "sparse" : "dense"));
    if (model.fitted.noise_scale) line("noise", noise_text(*model.fitted.noise_scale));
    if (model.rows > 0)
      for (const auto& [name, text] : report_lines(r)) line(name.c_str(), text);
    Json json{{"method", model.method->name()}, {"parameters", parameters_json(*model.method)}, {"kernel", model.kernel().text()}, {"classes", model.labels},
              {"points", points.rows()}, {"columns", model.columns}, {"rows", model.rows}, {"noise_scale", noise_json(model)},
              {"approx", model.map ? Json(model.map->text()) : Json()}};
    json.update(report_json(r));
    session.answer(json);
  });
}

}  // namespace mercer::cli
