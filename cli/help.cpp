#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command_tree.hpp"
#include "cli/layout.hpp"
#include "cli/terminal.hpp"

namespace mercer::cli {

namespace {

// The groups in the order in which they first occur.
template <class Entry>
std::vector<std::string> groups_of(const std::vector<Entry>& entries) {
  std::vector<std::string> groups;
  for (const Entry& one : entries)
    if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
  return groups;
}

class Help {
 public:
  explicit Help(std::size_t width)
      : width_(width), column_(std::clamp<std::size_t>(width * 3 / 10, 18, 30)) {}

  std::string of(const CommandEntry& command) {
    text_ = wrapped(title_of(command), width_, 0, 0) + "\n\n";
    text_ += wrapped("Usage: " + usage_of(command), width_, 0, 7) + "\n";
    add_arguments(command);
    // The commands before the options of all of them.
    for (const std::string& group : groups_of(command.commands)) add_commands(command, group);
    for (const std::string& group : groups_of(command.options)) add_options(command, group);
    if (!command.footer.empty()) text_ += "\n" + refilled(command.footer, width_) + "\n";
    return text_;
  }

 private:
  void add(const std::string& term, const std::string& description) {
    text_ += entry(term, description, 2, column_, width_) + "\n";
  }
  void add_heading(const std::string& title) { text_ += "\n" + heading(title + ":") + "\n"; }

  void add_arguments(const CommandEntry& command) {
    if (std::ranges::none_of(command.options, &OptionEntry::positional)) return;
    add_heading("Arguments");
    for (const OptionEntry& option : command.options)
      if (option.positional()) add(term_of(option, most_), text_of(option, most_));
  }

  void add_options(const CommandEntry& command, const std::string& group) {
    const auto here = [&](const OptionEntry& option) {
      return !option.positional() && option.group == group;
    };
    if (std::ranges::none_of(command.options, here)) return;
    add_heading(group);
    for (const OptionEntry& option : command.options)
      if (here(option)) add(term_of(option, most_), text_of(option, most_));
  }

  void add_commands(const CommandEntry& command, const std::string& group) {
    add_heading(group);
    for (const CommandEntry& one : command.commands)
      if (one.group == group) add(one.name, one.summary);
  }

  std::size_t width_, column_;
  // Of a term with its words, so that help says the same at any width.
  static constexpr std::size_t most_ = 32;
  std::string text_;
};

std::string parent_path(const std::string& path) {
  const std::size_t space = path.rfind(' ');
  return space == path.npos ? "" : path.substr(0, space);
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<CLI::FormatterLambda>(
      [](const CLI::App* app, const std::string& path, CLI::AppFormatMode) {
        return Help(text_width()).of(command_tree(*app, parent_path(path)));
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

}  // namespace mercer::cli
