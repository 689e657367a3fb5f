// mercer kernels [NAME]: what an expression can name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/layout.hpp"
#include "cli/listing.hpp"
#include "cli/terminal.hpp"
#include "mercer/catalogue.hpp"

namespace mercer::cli {

namespace {

using Kind = KernelInfo::Kind;

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

std::vector<std::string> property_words(const KernelInfo& info) {
  if (info.kind == Kind::rule)
    return {info.several ? "valid where the kernels inside are" : "valid where the kernel inside is"};
  if (info.kind != Kind::leaf) return {};
  const Properties& p = info.properties;
  std::vector<std::string> words{p.psd ? "PSD" : "NOT PSD in general"};
  if (p.radial)
    words.push_back("radial");
  else if (p.translation_invariant)
    words.push_back("translation invariant");
  if (p.bound < 1e300) words.push_back(fmt::format("|k| ≤ {:g}", p.bound));
  if (p.diagonal) words.push_back(fmt::format("k(x,x) = {:g}", *p.diagonal));
  if (info.explicit_map) words.push_back("explicit map");
  std::string objects;
  for (const Domain domain : info.domains)
    objects += fmt::format("{}{}", objects.empty() ? "on " : " and ", plural_of(domain));
  if (!objects.empty()) words.push_back(objects);
  return words;
}

const char* kind_word(Kind kind) {
  switch (kind) {
    case Kind::leaf:
      return "kernel";
    case Kind::rule:
      return "rule";
    case Kind::map:
      return "map";
    case Kind::function:
      break;
  }
  return "function";
}

Json to_json(const KernelInfo& info) {
  Json parameters = Json::array();
  for (const auto& p : info.parameters)
    parameters.push_back({{"name", p.name},
                          {"default", p.standard.empty() ? Json() : Json(p.standard)},
                          {"range", p.range},
                          {"meaning", p.meaning}});
  Json json{{"name", info.name},
            {"kind", kind_word(info.kind)},
            {"formula", info.formula},
            {"summary", info.summary},
            {"parameters", parameters}};
  if (info.kind == Kind::rule) json["several"] = info.several;
  if (info.kind != Kind::leaf) return json;
  const Properties& p = info.properties;
  json["properties"] = {{"psd", p.psd},
                        {"translation_invariant", p.translation_invariant},
                        {"radial", p.radial},
                        {"bound", number(p.bound)},
                        {"diagonal", p.diagonal ? Json(*p.diagonal) : Json()},
                        {"explicit_map", info.explicit_map}};
  json["domains"] = Json::array();
  for (const Domain domain : info.domains) json["domains"].push_back(name_of(domain));
  return json;
}

void list_all(const Session& session, const std::vector<KernelInfo>& all) {
  const auto section = [&](Kind kind, const std::string& title) {
    session.say(wrapped(title, text_width(), 0, 2));
    for (const KernelInfo& info : all) {
      if (info.kind != kind) continue;
      std::string text = info.formula;
      if (const std::string list = parameter_list(info); !list.empty()) text += "\n" + list;
      if (kind == Kind::leaf) text += fmt::format("\n{}", fmt::join(property_words(info), ", "));
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
  session.say("'mercer kernels NAME' explains one.");
}

void explain(const Session& session, const KernelInfo& info) {
  session.say(heading(fmt::format("{}: {}", kind_word(info.kind), info.name)));
  say_entry(session, "formula", info.formula);
  if (!info.summary.empty()) say_entry(session, "what", info.summary);
  std::string before;  // the parameter before this one
  for (const auto& p : info.parameters) {
    const std::string instead = parameter_note(p.meaning, p.range, "instead of " + before);
    say_entry(session, p.name, p.instead ? instead : parameter_text(p.meaning, p.range, p.standard));
    before = p.name;
  }
  const auto words = property_words(info);
  if (!words.empty()) say_entry(session, "properties", fmt::format("{}", fmt::join(words, ", ")));
  say_entry(session, "write", example(info));
}

}  // namespace

void add_kernels(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("kernels", "list the kernels and the rules that combine them, or explain one");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "explain this kernel or rule")->type_name("KERNEL");
  command->callback([&session, name] {
    const std::vector<KernelInfo> all = kernel_catalogue();
    if (name->empty()) {
      Json list = Json::array();
      for (const KernelInfo& info : all) list.push_back(to_json(info));
      list_all(session, all);
      return session.answer(list);
    }
    std::vector<std::string> names;
    for (const KernelInfo& info : all) names.push_back(info.name);
    const KernelInfo& one = all[place_of(*name, names, "kernel", "mercer kernels")];
    explain(session, one);
    session.answer(to_json(one));
  });
}

}  // namespace mercer::cli
