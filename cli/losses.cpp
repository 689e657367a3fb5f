// mercer losses [NAME]: the losses L(y, f), with formulas, targets and parameters.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/layout.hpp"
#include "cli/listing.hpp"
#include "cli/terminal.hpp"
#include "mercer/loss.hpp"

namespace mercer::cli {

namespace {

std::string standard_of(const Loss& loss, const LossParameter& parameter) {
  return fmt::format("{:g}", loss.get(parameter.name));
}

Json to_json(const Loss& loss) {
  Json parameters = Json::array();
  for (const LossParameter& parameter : loss.parameters())
    parameters.push_back({{"name", parameter.name},
                          {"default", standard_of(loss, parameter)},
                          {"range", parameter.interval.text},
                          {"meaning", parameter.meaning}});
  return {{"name", loss.name()},       {"formula", loss.formula()},
          {"summary", loss.summary()}, {"target", target_name(loss.target())},
          {"smooth", loss.smooth()},   {"parameters", parameters}};
}

// The target and the parameters, which the listing and the explanation have in common.
void say_details(const Session& session, const Loss& loss, std::size_t indent, std::size_t column) {
  say_entry(session, "target", fmt::format("{}: {}", target_name(loss.target()), target_range(loss.target())),
            indent, column);
  for (const LossParameter& parameter : loss.parameters())
    say_entry(session, std::string(parameter.name),
              parameter_text(std::string(parameter.meaning), std::string(parameter.interval.text),
                             standard_of(loss, parameter)),
              indent, column);
}

void list_losses(const Session& session) {
  for (const AnyLoss& loss : losses()) {
    session.say(heading(std::string(loss->name())));
    for (const std::string_view text : {loss->summary(), loss->formula()})
      session.say(wrapped(text, text_width(), 2, 4));
    say_details(session, *loss, 4, 18);
  }
  session.say("\n'mercer losses NAME' explains one.");
}

void explain(const Session& session, const Loss& loss) {
  session.say(heading(fmt::format("loss: {}", loss.name())));
  say_entry(session, "formula", std::string(loss.formula()));
  say_entry(session, "what", std::string(loss.summary()));
  say_details(session, loss, 2, 14);
  say_entry(session, "smooth", loss.smooth() ? "yes: solved by Newton's method" : "no: it has a kink");
  say_entry(session, "write",
            fmt::format("mercer fit DATA --method rerm --loss {} --kernel EXPR -o MODEL", loss.name()));
}

}  // namespace

void add_losses(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "losses", "list the losses with their formulas, targets and parameters, or explain one");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "explain this loss")->type_name("LOSS");
  command->callback([&session, name] {
    const auto& all = losses();
    if (!name->empty()) {
      std::vector<std::string> names;
      for (const AnyLoss& loss : all) names.emplace_back(loss->name());
      const AnyLoss& one = all[place_of(*name, names, "loss", "mercer losses")];
      explain(session, *one);
      return session.answer(to_json(*one));
    }
    Json list = Json::array();
    for (const AnyLoss& loss : all) list.push_back(to_json(*loss));
    list_losses(session);
    session.answer(list);
  });
}

}  // namespace mercer::cli
