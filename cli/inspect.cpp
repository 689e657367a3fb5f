// mercer inspect MODEL: what a model file holds.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"

namespace mercer::cli {

namespace {

const char* word(Rule rule) {
  switch (rule) {
    case Rule::value: return "a number";
    case Rule::novelty: return "inside (1) or outside (-1)";
    case Rule::one_vs_one: return "votes of all pairs of classes";
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
    line("predicts", word(model.fitted.rule));
    if (!labels.empty()) line("classes", labels);
    line("expansion", fmt::format("{} points × {} columns, {}", points.rows(), model.columns, points.sparse() ? "sparse" : "dense"));
    if (model.fitted.noise_scale) line("noise", noise_text(*model.fitted.noise_scale));
    if (model.rows > 0)
      line("fit", fmt::format("{}, violation {:.3g}, duality gap {:.3g}, objective {:.9g}, {:.3g} s", r.converged ? "converged" : "not converged",
                              r.violation, r.gap, r.objective, r.seconds));
    for (const std::string& warning : r.warnings) line("note", warning);
    session.answer({{"method", model.method->name()}, {"parameters", parameters_json(*model.method)}, {"kernel", model.kernel().text()}, {"classes", model.labels},
                    {"points", points.rows()}, {"columns", model.columns}, {"rows", model.rows}, {"converged", r.converged},
                    {"objective", number(r.objective)}, {"kkt_violation", number(r.violation)}, {"duality_gap", number(r.gap)}, {"noise_scale", noise_json(model)},
                    {"warnings", r.warnings}});
  });
}

}  // namespace mercer::cli
