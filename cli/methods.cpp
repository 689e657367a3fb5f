// mercer methods: what can be fitted, with formulas and parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"

namespace mercer::cli {

void add_methods(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("methods", "list the methods with their formulas and parameters");
  command->callback([&session] {
    Json list = Json::array();
    for (const AnyMethod& method : methods()) {
      session.say(fmt::format("{}\n  {}\n  {}", method->name(), method->summary(), method->formula()));
      Json parameters = Json::array();
      for (const MethodParameter& parameter : method->parameters()) {
        const std::string standard = text_of(method->get(parameter.name));
        std::string range(parameter.interval.text);
        if (!parameter.choices.empty()) {
          range.clear();
          for (const std::string_view choice : parameter.choices) range += (range.empty() ? "" : "|") + std::string(choice);
        }
        session.say(fmt::format("    {:<14}{:<8}{:<20}{}", parameter.name, standard, range, parameter.meaning));
        parameters.push_back({{"name", parameter.name}, {"default", standard}, {"range", range}, {"meaning", parameter.meaning}});
      }
      const auto solvers = method->solvers();
      if (!solvers.empty()) session.say(fmt::format("    --solver      auto    {}", fmt::join(solvers, "|")));
      list.push_back({{"name", method->name()}, {"solvers", solvers}, {"formula", method->formula()}, {"summary", method->summary()}, {"parameters", parameters}});
    }
    session.answer(list);
  });
}

}  // namespace mercer::cli
