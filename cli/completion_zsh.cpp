#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/completion.hpp"

namespace mercer::cli {

namespace {

// Text inside single quotes, with what _arguments would take for its own marks escaped.
std::string zsh_quoted(const std::string& text, const std::string& marks) {
  std::string made;
  for (const char c : text) {
    if (c == '\'')
      made += "'\\''";
    else
      made += (marks.find(c) != marks.npos ? "\\" : "") + std::string(1, c);
  }
  return made;
}

std::string zsh_function(const CommandEntry& command) {
  std::string name = "_" + command.path;
  std::ranges::replace(name, ' ', '_');
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string zsh_action(const OptionEntry& option) {
  std::vector<std::string> words;
  for (const std::string& word : option.words) words.push_back(zsh_quoted(word, ":"));
  if (!words.empty()) return fmt::format("({})", fmt::join(words, " "));
  return option.file ? "_files" : " ";
}

// "'(-o --output)'{-o,--output=}'[file to write]:FILE:_files'"
std::string zsh_option(const OptionEntry& option) {
  const std::string text = "[" + zsh_quoted(in_short(option.description), "[]:\\") + "]";
  const std::string value =
      option.is_flag()
          ? ""
          : fmt::format(":{}:{}", zsh_quoted(option.closed ? "value" : option.type, ":"), zsh_action(option));
  std::vector<std::string> flags;
  for (const std::string& flag : option.flags)
    flags.push_back(flag + (option.is_flag() ? "" : flag.starts_with("--") ? "=" : "+"));
  if (option.repeated) return fmt::format("'*'{}'{}{}'", flags.back(), text, value);
  if (flags.size() == 1) return fmt::format("'{}{}{}'", flags[0], text, value);
  return fmt::format("'({})'{{{}}}'{}{}'", fmt::join(option.flags, " "), fmt::join(flags, ","), text, value);
}

std::string zsh_argument(const OptionEntry& option) {
  return fmt::format("'{}{}{}:{}'", option.repeated ? "*" : "",
                     option.required || option.repeated ? ":" : "::", option.name, zsh_action(option));
}

std::string zsh_body(const CommandEntry& program, const CommandEntry& command) {
  std::vector<std::string> specs;
  for (const OptionEntry& option : command.options)
    if (!option.positional()) specs.push_back(zsh_option(option));
  if (&command != &program && !command.takes_all)
    for (const OptionEntry& option : program.options)
      if (option.flags.back() != "--help" && option.flags.back() != "--version")
        specs.push_back(zsh_option(option));
  for (const OptionEntry& option : command.options)
    if (option.positional()) specs.push_back(zsh_argument(option));
  if (command.takes_all) specs.emplace_back("'*:file:_files'");
  const std::string arguments = fmt::format("{}", fmt::join(specs, " \\\n    "));
  if (command.commands.empty())
    return fmt::format("{}() {{\n  _arguments -s \\\n    {}\n}}\n", zsh_function(command), arguments);
  std::string names, calls;
  for (const CommandEntry& below : command.commands) {
    names += fmt::format("        '{}:{}'\n", below.name, zsh_quoted(in_short(below.summary), ":\\"));
    calls += fmt::format("        {}) {} ;;\n", below.name, zsh_function(below));
  }
  return fmt::format(R"({}() {{
  local curcontext=$curcontext state line
  local -A opt_args
  _arguments -C -s \
    {} \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command)
      local -a commands=(
{}      )
      _describe -t commands command commands ;;
    rest)
      case $line[1] in
{}      esac ;;
  esac
}}
)",
                     zsh_function(command), arguments, names, calls);
}

}  // namespace

std::string zsh_completion(const CommandEntry& program) {
  std::string text = "#compdef mercer\n# zsh completion for mercer, written by 'mercer completion zsh'\n";
  for (const CommandEntry* command : all_commands(program)) text += zsh_body(program, *command);
  // The file is a function of that name when zsh loads it, and otherwise sourced.
  return text + "if [[ $funcstack[1] == _mercer ]]; then _mercer \"$@\"; else compdef _mercer mercer; fi\n";
}

}  // namespace mercer::cli
