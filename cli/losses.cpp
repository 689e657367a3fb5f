// mercer losses: what an answer may cost, with formulas, targets and parameters.
#include "mercer/loss.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace mercer::cli {

void add_losses(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("losses", "list the losses with their formulas, targets and parameters");
  command->callback([&session] {
    Json list = Json::array();
    for (const AnyLoss& loss : losses()) {
      session.say(fmt::format("{}\n  {}\n  {}", loss->name(), loss->summary(), loss->formula()));
      session.say(fmt::format("    {:<14}{:<8}{}", "target", target_name(loss->target()), target_range(loss->target())));
      Json parameters = Json::array();
      for (const LossParameter& parameter : loss->parameters()) {
        const std::string standard = fmt::format("{:g}", loss->get(parameter.name));
        session.say(fmt::format("    {:<14}{:<8}{:<20}{}", parameter.name, standard, parameter.interval.text, parameter.meaning));
        parameters.push_back({{"name", parameter.name}, {"default", standard}, {"range", parameter.interval.text}, {"meaning", parameter.meaning}});
      }
      list.push_back({{"name", loss->name()}, {"formula", loss->formula()}, {"summary", loss->summary()},
                      {"target", target_name(loss->target())}, {"smooth", loss->smooth()}, {"parameters", parameters}});
    }
    session.answer(list);
  });
}

}  // namespace mercer::cli
