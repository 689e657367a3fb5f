// mercer kernels|methods|losses [NAME]: what expressions, --method and --loss can name, with formulas and
// parameters. (mercer kernels EXPRESSION: expression.cpp.)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/expression.hpp"
#include "cli/fit_summary.hpp"
#include "cli/terminal.hpp"
#include "mercer/catalogue.hpp"
#include "mercer/loss.hpp"
#include "mercer/spelling.hpp"

namespace mercer::cli {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// A kernel, method or loss.
struct Description {
  std::string kind, name, formula, summary;
  Lines details = {};             // parameters and the like
  Lines before = {}, after = {};  // around them, where one alone is explained
  Json json = {};
};

/// What a parameter means, then its range and its default (or another note) in brackets, as in help.
std::string parameter_text(std::string_view meaning, std::string_view range, const std::string& note) {
  return fmt::format("{}{}[{}{}{}]", meaning, meaning.empty() ? "" : " ", range, range.empty() ? "" : "; ",
                     note);
}
std::string default_note(const std::string& standard) {
  return standard.empty() ? "must be given" : "default: " + standard;
}

/// "  name        text", the text wrapped to the terminal below itself.
void say_entry(const Session& session, const std::string& name, const std::string& text,
               std::size_t indent = 2, std::size_t column = 14) {
  session.say(entry(name, text, indent, column, text_width()));
}

void explain(const Session& session, const Description& one) {
  session.say(heading(fmt::format("{}: {}", one.kind, one.name)));
  say_entry(session, "formula", one.formula);
  if (!one.summary.empty()) say_entry(session, "what", one.summary);
  for (const Lines& lines : {one.before, one.details, one.after})
    for (const auto& [name, text] : lines) say_entry(session, name, text);
}

void list_methods_or_losses(const Session& session, const std::vector<Description>& all) {
  for (const Description& one : all) {
    session.say(heading(one.name));
    for (const std::string& text : {one.summary, one.formula}) session.say(wrapped(text, text_width(), 2, 4));
    for (const auto& [name, text] : one.details) say_entry(session, name, text, 4, 18);
  }
  session.say("");
}

/// The command `mercer kernels`, `methods` or `losses`. `what`: one of them. `answered`: where it is given,
/// asked first for an argument; true where that was more than the name of one, and has been explained.
CLI::App* add_catalogue(
    CLI::App& app, Session& session, const std::string& command_name, const std::string& what,
    const std::string& summary, const std::string& argument,
    std::function<std::vector<Description>()> describe,
    std::function<void(const Session&, const std::vector<Description>&)> list,
    std::function<bool(const std::string&, const std::vector<Description>&)> answered = {}) {
  auto* command = app.add_subcommand(command_name, summary);
  auto name = std::make_shared<std::string>();
  std::string type = what;
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  command->add_option("NAME", *name, argument)->type_name(type);
  command->callback([=, &session] {
    const std::vector<Description> all = describe();
    if (name->empty()) {
      list(session, all);
      session.say(fmt::format("'mercer {} NAME' explains one.", command_name));
      return session.answer(values_of(all, &Description::json));
    }
    if (answered && answered(*name, all)) return;
    const auto found = std::ranges::find(all, *name, &Description::name);
    if (found == all.end()) {
      const std::string near = nearest_word(*name, values_of(all, &Description::name));
      throw Error(ErrorCode::invalid_argument, fmt::format("no {} '{}'", what, *name),
                  {.hint = near.empty() ? fmt::format("'mercer {}' lists all", command_name)
                                        : fmt::format("did you mean '{}'?", near)});
    }
    explain(session, *found);
    session.answer(found->json);
  });
  return command;
}

// --- Kernels. ---

using Kind = KernelInfo::Kind;
constexpr const char* kind_words[] = {"kernel", "rule", "map", "function"};

// "degree=3 (a whole number from 1 to 1000), offset=1 (≥ 0)"
std::string parameter_list(const KernelInfo& info) {
  std::string list;
  for (const auto& p : info.parameters) {
    list += list.empty() ? "" : p.instead ? " or " : ", ";
    list +=
        p.name + (p.standard.empty() ? "" : "=" + p.standard) + (p.range.empty() ? "" : " (" + p.range + ")");
  }
  return list;
}

// "rbf(gamma=scale)"
std::string example(const KernelInfo& info) {
  std::string list;
  for (const auto& p : info.parameters)
    if (!p.instead)
      list += (list.empty() ? "" : ", ") + p.name + "=" + (p.standard.empty() ? "…" : p.standard);
  if (info.kind == Kind::leaf) return info.name + (list.empty() ? "" : "(" + list + ")");
  if (info.kind == Kind::rule)
    return info.name + (info.several ? "(k1, k2, …" : "(k") + (list.empty() ? "" : ", " + list) + ")";
  return fmt::format("{}(k, by={}{})", info.kind == Kind::map ? "mapped" : "weighted", info.name,
                     list.empty() ? "" : ", " + list);
}

std::string properties_text(const KernelInfo& info) {
  if (info.kind == Kind::rule)
    return info.several ? "valid where the kernels inside are" : "valid where the kernel inside is";
  if (info.kind != Kind::leaf) return {};
  const Properties& p = info.properties;
  std::string text = p.psd ? "PSD" : "NOT PSD in general";
  if (p.conditional_order) text = fmt::format("conditionally PSD of order {}", p.conditional_order);
  if (p.radial || p.translation_invariant) text += p.radial ? ", radial" : ", translation invariant";
  if (p.bound < 1e300) text += fmt::format(", |k| ≤ {:g}", p.bound);
  if (p.diagonal) text += fmt::format(", k(x,x) = {:g}", *p.diagonal);
  if (info.explicit_map) text += ", explicit map";
  if (!info.domains.empty())
    text += fmt::format(", on {}", fmt::join(values_of(info.domains, plural_of), " and "));
  return text;
}

Json kernel_json(const KernelInfo& info) {
  Json parameters = Json::array();
  for (const auto& p : info.parameters)
    parameters.push_back({{"name", p.name},
                          {"default", p.standard.empty() ? Json() : Json(p.standard)},
                          {"range", p.range},
                          {"meaning", p.meaning}});
  Json json{{"name", info.name},
            {"kind", kind_words[int(info.kind)]},
            {"formula", info.formula},
            {"summary", info.summary},
            {"parameters", parameters}};
  if (info.kind == Kind::rule) json["several"] = info.several;
  if (info.kind != Kind::leaf) return json;
  const Properties& p = info.properties;
  json["properties"] = {{"psd", p.psd},
                        {"conditional_order", p.conditional_order},
                        {"translation_invariant", p.translation_invariant},
                        {"radial", p.radial},
                        {"bound", number(p.bound)},
                        {"diagonal", number(p.diagonal)},
                        {"explicit_map", info.explicit_map}};
  json["domains"] = values_of(info.domains, [](Domain domain) { return name_of(domain); });
  return json;
}

std::vector<Description> kernels_described() {
  std::vector<Description> all;
  for (const KernelInfo& info : kernel_catalogue()) {
    Description one{kind_words[int(info.kind)], info.name, info.formula, info.summary};
    for (const auto& p : info.parameters)
      one.details.emplace_back(p.name, parameter_text(p.meaning, p.range,
                                                      p.instead ? "instead of " + one.details.back().first
                                                                : default_note(p.standard)));
    if (const std::string text = properties_text(info); !text.empty())
      one.after.emplace_back("properties", text);
    one.after.emplace_back("write", example(info));
    one.json = kernel_json(info);
    all.push_back(std::move(one));
  }
  return all;
}

void list_kernels(const Session& session, const std::vector<Description>&) {
  const std::vector<KernelInfo> all = kernel_catalogue();
  const auto section = [&](Kind kind, const std::string& title) {
    session.say(wrapped(title, text_width(), 0, 2));
    for (const KernelInfo& info : all) {
      if (info.kind != kind) continue;
      std::string text = info.formula;
      if (const std::string list = parameter_list(info); !list.empty()) text += "\n" + list;
      if (kind == Kind::leaf) text += "\n" + properties_text(info);
      say_entry(session, info.name, text, 2, 22);
    }
    session.say("");
  };
  section(Kind::leaf, heading("Kernels"));
  section(Kind::rule,
          heading("Rules") +
              " (the first argument is a kernel); also c*k, k1 + k2, k1*k2, k^p, k@column, k@[column, …]");
  section(Kind::map, heading("Maps") + " for mapped(k, by=…)");
  section(Kind::function, heading("Functions") + " for weighted(k, by=…); or a column's name");
}

// --- Methods and losses. ---

/// When kernels that are valid only conditionally will do: of Conditional.
constexpr const char* conditions[] = {"", "", " with --bias free",
                                      " with --bias free, of order 2 (thin_plate), too",
                                      " where k(x,x) is constant"};

Description described(const Method& method) {
  Description one{"method", std::string(method.name()), std::string(method.formula()),
                  std::string(method.summary())};
  const MethodTraits& traits = method.traits();
  Json parameters = Json::array();
  for (const MethodParameter& parameter : method.parameters()) {
    const std::string flag = flag_of(parameter.name), standard = text_of(method.get(parameter.name));
    const std::string range = parameter.choices.empty()
                                  ? std::string(parameter.interval.text)
                                  : fmt::format("{}", fmt::join(parameter.choices, "|"));
    const bool same = parameter_of(flag.substr(2)) == flag.substr(2);  // the flag is the parameter's name
    const std::string meaning =
        std::string(parameter.meaning) + (same ? "" : fmt::format(" ({} of 'mercer fit')", flag));
    one.details.emplace_back(parameter.name, parameter_text(meaning, range, default_note(standard)));
    parameters.push_back({{"name", parameter.name},
                          {"flag", flag},
                          {"default", standard},
                          {"range", range},
                          {"meaning", parameter.meaning}});
  }
  const std::vector solvers(traits.solvers.begin(), traits.solvers.end());
  if (!solvers.empty()) one.details.emplace_back("--solver", fmt::format("auto|{}", fmt::join(solvers, "|")));
  one.before = {{"task", std::string(name_of(traits.task))}};
  if (!traits.needs_psd) one.after.emplace_back("kernels", "need not be positive semidefinite");
  if (traits.conditional != Conditional::never)
    one.after.emplace_back("kernels",
                           fmt::format("positive semidefinite, or conditionally so of order 1 (distance, "
                                       "multiquadric){}",
                                       conditions[int(traits.conditional)]));
  one.after.emplace_back("write",
                         fmt::format("mercer fit DATA --method {} --kernel EXPR -o MODEL", one.name));
  one.json = {{"name", one.name},       {"task", name_of(traits.task)}, {"solvers", solvers},
              {"formula", one.formula}, {"summary", one.summary},       {"parameters", parameters}};
  return one;
}

Description described(const Loss& loss) {
  Description one{"loss", std::string(loss.name()), std::string(loss.formula()), std::string(loss.summary())};
  const std::string_view target = target_name(loss.target());
  one.details = {{"target", fmt::format("{}: {}", target, target_range(loss.target()))}};
  Json parameters = Json::array();
  for (const LossParameter& parameter : loss.parameters()) {
    const std::string standard = fmt::format("{:g}", loss.get(parameter.name));
    one.details.emplace_back(
        parameter.name, parameter_text(parameter.meaning, parameter.interval.text, default_note(standard)));
    parameters.push_back({{"name", parameter.name},
                          {"default", standard},
                          {"range", parameter.interval.text},
                          {"meaning", parameter.meaning}});
  }
  one.after = {
      {"smooth", loss.smooth() ? "yes: solved by Newton's method" : "no: it has a kink"},
      {"write", fmt::format("mercer fit DATA --method rerm --loss {} --kernel EXPR -o MODEL", one.name)}};
  one.json = {{"name", one.name}, {"formula", one.formula},  {"summary", one.summary},
              {"target", target}, {"smooth", loss.smooth()}, {"parameters", parameters}};
  return one;
}

}  // namespace

void add_kernels(CLI::App& app, Session& session) {
  auto spectrum = std::make_shared<bool>(false);
  auto* command = add_catalogue(
      app, session, "kernels", "kernel",
      "list the kernels and the rules that combine them, or explain one or an expression",
      "explain this kernel or rule, or the properties of an expression such as \"rbf(gamma=1) + linear\"",
      kernels_described, list_kernels,
      [&session, spectrum](const std::string& text, const std::vector<Description>& all) {
        if (!*spectrum && std::ranges::find(all, text, &Description::name) != all.end()) return false;
        explain_expression(session, Kernel::parse(text), *spectrum);
        return true;
      });
  command->add_flag("--spectrum", *spectrum,
                    "of an expression: its spectral density and the derivatives that it penalizes");
}

void add_methods(CLI::App& app, Session& session) {
  add_catalogue(
      app, session, "methods", "method",
      "list the methods with their formulas and parameters, or explain one", "explain this method",
      [] { return values_of(methods(), [](auto& one) { return described(*one); }); }, list_methods_or_losses);
}

void add_losses(CLI::App& app, Session& session) {
  add_catalogue(
      app, session, "losses", "loss",
      "list the losses with their formulas, targets and parameters, or explain one", "explain this loss",
      [] { return values_of(losses(), [](auto& one) { return described(*one); }); }, list_methods_or_losses);
}

}  // namespace mercer::cli
