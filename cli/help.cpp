// Help, and what is wrong with a command line that cannot be parsed.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "cli/command_tree.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "mercer/spelling.hpp"

namespace mercer::cli {

namespace {

std::string help_text(const CommandEntry& command, std::size_t width) {
  // The widest term that is written with all its words; the same at any width, so that help always says the
  // same.
  constexpr std::size_t most = 32;
  const auto column = std::clamp<std::size_t>(width * 3 / 10, 18, 30);
  std::vector<std::pair<std::string, std::string>> sections;  // headings and what is below them
  const auto add = [&](const std::string& title, const std::string& term, const std::string& description) {
    if (std::ranges::find(sections, title, &std::pair<std::string, std::string>::first) == sections.end())
      sections.emplace_back(title, "");
    std::ranges::find(sections, title, &std::pair<std::string, std::string>::first)->second +=
        entry(term, description, 2, column, width) + "\n";
  };
  const auto add_option = [&](const std::string& title, const OptionEntry& option) {
    add(title, term_of(option, most), text_of(option, most));
  };
  for (const OptionEntry& option : command.options)
    if (option.positional()) add_option("Arguments", option);
  for (const CommandEntry& below : command.commands) add(below.group, below.name, below.summary);
  for (const OptionEntry& option : command.options)
    if (!option.positional()) add_option(option.group, option);
  std::string text = wrapped(title_of(command), width, 0, 0) + "\n\n" +
                     wrapped("Usage: " + usage_of(command), width, 0, 7) + "\n";
  for (const auto& [title, entries] : sections) text += "\n" + heading(title + ":") + "\n" + entries;
  return command.footer.empty() ? text : text + "\n" + refilled(command.footer, width) + "\n";
}

std::string parent_path(const std::string& path) {
  const std::size_t space = path.rfind(' ');
  return space == path.npos ? "" : path.substr(0, space);
}

// --- What is wrong with a command line. ---

// The commands that were given, from the program on.
std::vector<const CLI::App*> given_commands(const CLI::App& app) {
  std::vector<const CLI::App*> chain{&app};
  for (auto below = app.get_subcommands(); !below.empty(); below = below.front()->get_subcommands())
    chain.push_back(below.front());
  return chain;
}

class Complaint {
 public:
  explicit Complaint(const CLI::App& app) : chain_(given_commands(app)), unknown_(app.remaining(true)) {
    std::string above;
    for (const CLI::App* command : chain_) {
      commands_.push_back(command_tree(*command, above));
      above = commands_.back().path;
    }
  }

  std::string text(const CLI::ParseError& error) const {
    if (const auto said = unknown_command()) return *said;
    if (const auto said = unknown_option()) return *said;
    if (!unknown_.empty() && error.get_exit_code() == int(CLI::ExitCodes::ExtrasError))
      return fmt::format("unexpected argument '{}'; the usage is: {}", unknown_.front(), usage_of(last()));
    if (needs_command())
      return fmt::format("'{}' needs a {}; choose from {}", last().path, kind(), fmt::join(names(), ", "));
    return in_plain_words(error);
  }

  const CommandEntry& last() const { return commands_.back(); }

  std::optional<std::string> unknown_command() const {
    if (!needs_command()) return {};
    const auto word =
        std::ranges::find_if(unknown_, [](const std::string& w) { return !w.starts_with('-'); });
    if (word == unknown_.end()) return {};
    return fmt::format("unknown {} '{}'; {}", kind(), *word, suggestion(*word, names()));
  }

 private:
  bool needs_command() const { return chain_.back()->get_require_subcommand_min() > 0; }
  const char* kind() const { return chain_.size() == 1 ? "command" : "kind"; }

  std::vector<std::string> names() const { return values_of(last().commands, &CommandEntry::name); }

  std::optional<std::string> unknown_option() const {
    const auto word = std::ranges::find_if(
        unknown_, [](const std::string& w) { return w.size() > 1 && w.starts_with('-'); });
    if (word == unknown_.end()) return {};
    const std::string flag = word->substr(0, word->find('='));
    std::vector<std::string> known;  // without dashes, which would make all of them look alike
    for (const CommandEntry& command : commands_)
      for (const OptionEntry& option : command.options)
        for (const std::string& name : option.flags)
          if (name.starts_with("--")) known.push_back(name.substr(2));
    const std::string near =
        nearest_word(flag.substr(std::min(flag.find_first_not_of('-'), flag.size())), known);
    const std::string where = last().path == "mercer" ? "" : fmt::format(" of '{}'", last().path);
    return fmt::format("unknown option '{}'{}{}", flag, where,
                       near.empty() ? "" : fmt::format("; did you mean '--{}'?", near));
  }

  const OptionEntry* option_named(const std::string& name) const {
    for (auto command = commands_.rbegin(); command != commands_.rend(); ++command)
      for (const OptionEntry& option : command->options)
        if (option.name == name || std::ranges::find(option.flags, name) != option.flags.end())
          return &option;
    return nullptr;
  }

  std::string in_plain_words(const CLI::ParseError& error) const {
    const std::string said = error.what();
    const std::size_t colon = said.find(':');
    const std::string name = said.substr(0, colon), rest = colon == said.npos ? "" : said.substr(colon + 1);
    const OptionEntry* option = option_named(name);
    if (error.get_name() == "RequiredError")
      return fmt::format("{}; the usage is: {}", said, usage_of(last()));
    if (error.get_name() == "ArgumentMismatch" && said.ends_with("missing"))
      return fmt::format("{} needs a value{}", name, option ? ", as in " + term_of(*option, 60) : "");
    if (error.get_name() == "ArgumentMismatch" && said.find("but received") != said.npos)
      return fmt::format("{} is given more than once", name);
    if (error.get_name() == "ConversionError" && rest.find(" = ") != rest.npos) {
      const std::string flag = rest.substr(1, rest.find(" = ") - 1),
                        value = rest.substr(rest.find(" = ") + 3);
      const OptionEntry* wrong = option_named(flag);
      const std::string range = wrong && !wrong->range.empty() ? fmt::format(" ({})", wrong->range) : "";
      return fmt::format("{}: '{}' is not a number{}", flag, value, range);
    }
    if (error.get_name() == "ExcludesError")
      if (const std::size_t at = said.find(" excludes "); at != said.npos)
        return fmt::format("{} and {} cannot be given together", said.substr(0, at), said.substr(at + 10));
    if (error.get_name() == "ValidationError" && option) return refused_value(*option, name, rest, said);
    return said;
  }

  // "--cv: Value 1 not in range 2 to 1000", "--log: z not in {x,y,both,none}"
  static std::string refused_value(const OptionEntry& option, const std::string& name,
                                   const std::string& rest, const std::string& said) {
    if (const std::size_t at = rest.find(" not in {"); at != rest.npos) {
      const std::string value = rest.substr(1, at - 1);
      return fmt::format("{}: unknown value '{}'; {}", name, value, suggestion(value, option.words));
    }
    if (const std::size_t at = rest.find(" not in range "); at != rest.npos && rest.starts_with(" Value "))
      return fmt::format("{} {}: must be {}", name, rest.substr(7, at - 7), option.range);
    return said;
  }

  std::vector<const CLI::App*> chain_;
  std::vector<CommandEntry> commands_;
  std::vector<std::string> unknown_;
};

std::string with_help(const std::string& text, const Complaint& complaint) {
  const std::string& path = complaint.last().path;
  return fmt::format("{}: {}\n        '{} --help' explains", path.substr(0, path.find(' ')), text, path);
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<CLI::FormatterLambda>(
      [](const CLI::App* app, const std::string& path, CLI::AppFormatMode) {
        return help_text(command_tree(*app, parent_path(path)), text_width());
      });
}

std::string short_usage(const CLI::App& app) {
  const std::size_t width = text_width();
  std::string text = "Usage: mercer COMMAND [OPTIONS]\n\n";
  for (const char* name : {"fit", "predict", "evaluate", "explain", "check"})
    text += entry(name, app.get_subcommand(name)->get_description(), 2, 13, width) + "\n";
  text +=
      "\nExample:\n"
      "  mercer generate moons -o moons.csv\n"
      "  mercer fit moons.csv -o moons.mercer\n"
      "  mercer predict moons.mercer moons.csv\n\n";
  return text +
         wrapped("'mercer --help' lists all commands, 'mercer COMMAND --help' explains one.", width, 0, 0);
}

std::string complaint_of(const CLI::App& app, const CLI::ParseError& error) {
  const Complaint complaint(app);
  return with_help(complaint.text(error), complaint);
}

std::string unknown_command_complaint(const CLI::App& app) {
  const Complaint complaint(app);
  const auto text = complaint.unknown_command();
  return text ? with_help(*text, complaint) : "";
}

}  // namespace mercer::cli
