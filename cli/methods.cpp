// mercer methods [NAME]: what can be fitted, with formulas and parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/layout.hpp"
#include "cli/listing.hpp"
#include "cli/model_options.hpp"
#include "cli/terminal.hpp"
#include "cli/wording.hpp"

namespace mercer::cli {

namespace {

std::string range_of(const MethodParameter& parameter) {
  return parameter.choices.empty() ? std::string(parameter.interval.text)
                                   : fmt::format("{}", fmt::join(parameter.choices, "|"));
}

// With the flag, where that is not the parameter's name.
std::string meaning_of(const MethodParameter& parameter) {
  const std::string flag = flag_of(parameter.name);
  const bool same = parameter_of(flag.substr(2)) == flag.substr(2);
  return std::string(parameter.meaning) + (same ? "" : fmt::format(" ({} of 'mercer fit')", flag));
}

std::string solvers_of(const Method& method) {
  return fmt::format("auto|{}", fmt::join(method.traits().solvers, "|"));
}

Json to_json(const Method& method) {
  Json parameters = Json::array();
  for (const MethodParameter& parameter : method.parameters())
    parameters.push_back({{"name", parameter.name},
                          {"flag", flag_of(parameter.name)},
                          {"default", text_of(method.get(parameter.name))},
                          {"range", range_of(parameter)},
                          {"meaning", parameter.meaning}});
  const std::vector solvers(method.traits().solvers.begin(), method.traits().solvers.end());
  return {{"name", method.name()},       {"task", name_of(method.traits().task)}, {"solvers", solvers},
          {"formula", method.formula()}, {"summary", method.summary()},           {"parameters", parameters}};
}

void say_parameters(const Session& session, const Method& method, std::size_t indent, std::size_t column) {
  for (const MethodParameter& parameter : method.parameters())
    say_entry(session, std::string(parameter.name),
              parameter_text(meaning_of(parameter), range_of(parameter), text_of(method.get(parameter.name))),
              indent, column);
}

void list_methods(const Session& session) {
  for (const AnyMethod& method : methods()) {
    session.say(heading(std::string(method->name())));
    for (const std::string_view text : {method->summary(), method->formula()})
      session.say(wrapped(text, text_width(), 2, 4));
    say_parameters(session, *method, 4, 18);
    if (!method->traits().solvers.empty()) say_entry(session, "--solver", solvers_of(*method), 4, 18);
  }
  session.say("\n'mercer methods NAME' explains one.");
}

void explain(const Session& session, const Method& method) {
  session.say(heading(fmt::format("method: {}", method.name())));
  say_entry(session, "formula", std::string(method.formula()));
  say_entry(session, "what", std::string(method.summary()));
  say_entry(session, "task", std::string(name_of(method.traits().task)));
  say_parameters(session, method, 2, 14);
  if (!method.traits().solvers.empty()) say_entry(session, "--solver", solvers_of(method));
  if (!method.traits().needs_psd) say_entry(session, "kernels", "need not be positive semidefinite");
  say_entry(session, "write",
            fmt::format("mercer fit DATA --method {} --kernel EXPR -o MODEL", method.name()));
}

}  // namespace

void add_methods(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("methods", "list the methods with their formulas and parameters, or explain one");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "explain this method")->type_name("METHOD");
  command->callback([&session, name] {
    const auto& all = methods();
    if (!name->empty()) {
      std::vector<std::string> names;
      for (const AnyMethod& method : all) names.emplace_back(method->name());
      const AnyMethod& one = all[place_of(*name, names, "method", "mercer methods")];
      explain(session, *one);
      return session.answer(to_json(*one));
    }
    Json list = Json::array();
    for (const AnyMethod& method : all) list.push_back(to_json(*method));
    list_methods(session);
    session.answer(list);
  });
}

}  // namespace mercer::cli
