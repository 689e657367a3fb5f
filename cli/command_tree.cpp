#include "cli/command_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "mercer/catalogue.hpp"
#include "mercer/generate.hpp"
#include "mercer/loss.hpp"
#include "mercer/method.hpp"
#include "mercer/metrics.hpp"

namespace mercer::cli {

namespace {

std::vector<std::string> texts_of(std::string_view text, char mark) {
  return values_of(split(text, mark), [](std::string_view part) { return std::string(part); });
}

// CLI11 writes the rules of the validators behind the type, as in "N:INT in [1 - 10]" or "TEXT:{x,y}".
struct Type {
  std::string name, range;
  std::vector<std::string> members;
};

Type type_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  std::size_t end = text.size();
  for (const char* mark : {":{", ":INT in [", ":UINT in [", ":FLOAT in [", ":SIZE [", ":POSITIVE"})
    end = std::min(end, text.find(mark));
  Type type{text.substr(0, end), {}, {}};
  const std::string rule = text.substr(end);
  if (rule.starts_with(":{")) type.members = texts_of(rule.substr(2, rule.find('}') - 2), ',');
  if (const std::size_t begin = rule.find("in ["); begin != rule.npos) {
    type.range = rule.substr(begin + 4, rule.find(']') - begin - 4);
    if (const std::size_t dash = type.range.find(" - "); dash != type.range.npos)
      type.range.replace(dash, 3, " to ");
  }
  if (rule == ":POSITIVE") type.range = "above 0";
  return type;
}

// The words that a value of this type begins with; none where it may be anything.
std::vector<std::string> words_of(const std::string& type) {
  const auto name = [](const auto& one) { return std::string(one->name()); };
  if (type == "EXPR" || type == "KERNEL") {
    std::vector<KernelInfo> known = kernel_catalogue();
    if (type == "EXPR")
      std::erase_if(known, [](const KernelInfo& one) { return one.kind > KernelInfo::Kind::rule; });
    return values_of(known, &KernelInfo::name);
  }
  if (type == "METHOD") return values_of(methods(), name);
  if (type == "LOSS") return values_of(losses(), name);
  if (type == "METRIC") return values_of(metrics(), &Metric::name);
  if (type == "DATASET")
    return values_of(generators(), [](const Generator& one) { return std::string(one.name); });
  if (type == "APPROX") return {"nystrom:", "fourier:", "sketch:", "explicit", "none"};
  if (type == "SOLVER") {
    std::set<std::string> words{"auto"};
    for (const AnyMethod& method : methods())
      for (const std::string_view solver : method->traits().solvers) words.emplace(solver);
    return {words.begin(), words.end()};
  }
  return type.find('|') == type.npos ? std::vector<std::string>() : texts_of(type, '|');
}

bool names_a_file(const std::string& type) {
  constexpr std::array known{"FILE", "DATA", "MODEL", "FILE.html", "FILE.svg"};
  return std::ranges::find(known, type) != known.end();
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry made;
  made.description = option.get_description();
  made.group = option.get_group();
  made.required = option.get_required();
  made.repeated = option.get_expected_max() > 1;
  for (const CLI::Option* other : option.get_excludes()) made.excludes.push_back(other->get_name());
  if (option.get_positional())
    made.name = option.get_name(true, false);
  else {
    for (const std::string& name : option.get_snames()) made.flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) made.flags.push_back("--" + name);
    if (option.get_type_size() == 0) return made;
  }
  const Type type = type_of(option);
  made.type = type.members.empty() ? type.name : fmt::format("{}", fmt::join(type.members, "|"));
  made.range = type.range;
  made.standard = option.get_default_str();
  made.words = words_of(made.type);
  made.closed = made.type.find('|') != made.type.npos;
  made.file = names_a_file(made.type);
  return made;
}

std::string metavariable(const OptionEntry& option) {
  std::string name = option.flags.back().substr(option.flags.back().find_first_not_of('-'));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return c == '-' ? '_' : char(std::toupper(c)); });
  return name;
}

// The flags with the value as its words, and whether that is no longer than `most`.
std::string spelt_out(const OptionEntry& option) {
  const std::string flags = fmt::format("{}", fmt::join(option.flags, ", "));
  return option.type.empty() ? flags : flags + " " + option.type;
}

bool fits(const OptionEntry& option, std::size_t most) { return shown_width(spelt_out(option)) <= most; }

}  // namespace

CommandEntry command_tree(const CLI::App& app, const std::string& above) {
  CommandEntry made;
  made.name = app.get_name();
  made.path = above.empty() ? made.name : above + " " + made.name;
  made.summary = app.get_description();
  made.group = app.get_group();
  made.footer = app.get_footer();
  made.takes_all = app.get_prefix_command();
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) made.options.push_back(entry_of(*option));
  std::ranges::stable_partition(made.options, &OptionEntry::positional);
  for (const CLI::App* command : app.get_subcommands({}))
    made.commands.push_back(command_tree(*command, made.path));
  return made;
}

std::string term_of(const OptionEntry& option, std::size_t most) {
  if (option.positional()) return option.name;
  if (!option.closed || fits(option, most)) return spelt_out(option);
  return fmt::format("{} {}", fmt::join(option.flags, ", "), metavariable(option));
}

std::string text_of(const OptionEntry& option, std::size_t most) {
  std::vector<std::string> more;
  if (option.closed && (option.positional() || !fits(option, most)))
    more.push_back(fmt::format("one of {}", fmt::join(option.words, ", ")));
  if (!option.range.empty()) more.push_back(option.range);
  if (!option.standard.empty()) more.push_back("default: " + option.standard);
  if (option.required && !option.positional()) more.push_back("required");
  for (const std::string& other : option.excludes) more.push_back("not with " + other);
  if (more.empty()) return option.description;
  return fmt::format("{} [{}]", option.description, fmt::join(more, "; "));
}

std::string title_of(const CommandEntry& command) {
  std::string title = command.summary;
  if (!title.empty()) title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string usage_of(const CommandEntry& command) {
  std::string usage = command.path;
  if (std::ranges::any_of(command.options, [](const OptionEntry& o) { return !o.positional(); }))
    usage += " [OPTIONS]";
  for (const OptionEntry& option : command.options) {
    if (!option.positional()) continue;
    const std::string name = option.name + (option.repeated ? "..." : "");
    usage += option.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) usage += command.path == "mercer" ? " COMMAND" : " KIND";
  return usage;
}

}  // namespace mercer::cli
