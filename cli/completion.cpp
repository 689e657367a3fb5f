// mercer completion bash|zsh|fish: a script that completes command lines, made from the tree of commands. It
// completes commands, options and the values that are known: words, names of kernels, methods and metrics,
// and files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"

namespace mercer::cli {

namespace {

std::string in_short(const std::string& description) {
  return description.substr(0, description.find_first_of(";(\n"));
}

std::vector<const CommandEntry*> all_commands(const CommandEntry& program) {
  std::vector<const CommandEntry*> all{&program};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const CommandEntry& below : all[i]->commands) all.push_back(&below);
  return all;
}

// --- bash ---

// How the value of an option or argument is completed: sets `words`, `names` (of an expression) or `files`.
std::string bash_value(const OptionEntry& option) {
  if (option.type == "EXPR") return fmt::format("names=\"{}\"", fmt::join(option.words, " "));
  if (!option.words.empty()) return fmt::format("words=\"{}\"", fmt::join(option.words, " "));
  return option.file ? "files=1" : ":";
}

void add_bash_options(std::string& flags, std::string& values, const CommandEntry& command) {
  for (const OptionEntry& option : command.options) {
    if (option.positional()) continue;
    for (const std::string& flag : option.flags) flags += (flags.empty() ? "" : " ") + flag;
    if (!option.is_flag())
      values += fmt::format("        {}) {} ;;\n", fmt::join(option.flags, "|"), bash_value(option));
  }
}

std::string bash_case(const CommandEntry& program, const CommandEntry& command) {
  std::string flags, values, rest;
  add_bash_options(flags, values, command);
  if (&command != &program && !command.takes_all) add_bash_options(flags, values, program);
  if (command.takes_all) rest = "files=1";
  const auto below = values_of(command.commands, &CommandEntry::name);
  if (!below.empty()) rest = fmt::format("words=\"{}\"", fmt::join(below, " "));
  for (const OptionEntry& option : command.options)
    if (option.positional()) rest = bash_value(option);
  return fmt::format(
      "    \"{}\")\n      flags=\"{}\"\n      case $before in\n{}        *) value= ; {} ;;\n      esac ;;\n",
      command.path, flags, values, rest.empty() ? ":" : rest);
}

// After an option with a value, `value` is 1; --option=value comes as three words. Names of an expression are
// completed behind whatever stands before them. The last lines cannot split at spaces, since names of files
// have them.
constexpr const char* bash_frame = R"(# bash completion for mercer, written by 'mercer completion bash'
_mercer() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path=mercer
  local flags= words= names= files= value=1 i
  if [[ $current == "=" ]]; then current=; elif [[ $before == "=" ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {paths}) path="$path ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case $path in
{cases}  esac
  local IFS=$'\n'
  if [[ -z $value && $current == -* ]]; then
    COMPREPLY=($(IFS=' '; compgen -W "$flags" -- "$current"))
  elif [[ $names ]]; then
    local last=${{current##*[!A-Za-z0-9_]}}
    local head=${{current%"$last"}}
    head=${{head#[\"\']}}
    COMPREPLY=($(IFS=' '; compgen -P "$head" -W "$names" -- "$last"))
    compopt -o nospace 2>/dev/null
  elif [[ $words ]]; then
    COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$current"))
    [[ ${{COMPREPLY[0]}} == *: ]] && compopt -o nospace 2>/dev/null
  elif [[ $files ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  else
    COMPREPLY=()
  fi
  return 0
}}
complete -F _mercer mercer
)";

std::string bash_completion(const CommandEntry& program) {
  std::string cases;
  std::vector<std::string> paths;
  for (const CommandEntry* command : all_commands(program)) {
    cases += bash_case(program, *command);
    if (command != &program) paths.push_back("\"" + command->path + "\"");
  }
  return fmt::format(bash_frame, fmt::arg("paths", fmt::format("{}", fmt::join(paths, "|"))),
                     fmt::arg("cases", cases));
}

// --- zsh ---

// Text inside single quotes, with what _arguments would take for its own marks escaped.
std::string zsh_quoted(const std::string& text, const std::string& marks) {
  std::string made;
  for (const char c : text)
    made += c == '\'' ? "'\\''" : (marks.find(c) != marks.npos ? "\\" : "") + std::string(1, c);
  return made;
}

std::string zsh_function(const CommandEntry& command) {
  std::string name = "_" + command.path;
  std::ranges::replace(name, ' ', '_');
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string zsh_action(const OptionEntry& option) {
  const auto words = values_of(option.words, [](const std::string& word) { return zsh_quoted(word, ":"); });
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

std::string zsh_completion(const CommandEntry& program) {
  std::string text = "#compdef mercer\n# zsh completion for mercer, written by 'mercer completion zsh'\n";
  for (const CommandEntry* command : all_commands(program)) text += zsh_body(program, *command);
  // The file is a function of that name when zsh loads it, and otherwise sourced.
  return text + "if [[ $funcstack[1] == _mercer ]]; then _mercer \"$@\"; else compdef _mercer mercer; fi\n";
}

// --- fish ---

std::string fish_quoted(const std::string& text) {
  std::string made = "'";
  for (const char c : text) made += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return made + "'";
}

// "plot roc": the path without the program.
std::string fish_path(const CommandEntry& command) {
  const std::size_t space = command.path.find(' ');
  return space == std::string::npos ? "" : command.path.substr(space + 1);
}

std::string fish_line(const std::string& condition, const std::string& rest) {
  return fmt::format("complete -c mercer{} {}\n", condition.empty() ? "" : " -n " + fish_quoted(condition),
                     rest);
}

std::string fish_value(const OptionEntry& option) {
  if (!option.words.empty()) return fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
  return option.file ? " -r -F" : " -x";
}

std::string fish_option(const std::string& condition, const OptionEntry& option) {
  std::string flags;
  for (const std::string& flag : option.flags)
    flags += (flags.empty() ? "" : " ") +
             (flag.starts_with("--") ? "-l " + flag.substr(2) : "-s " + flag.substr(1));
  const std::string value = option.is_flag() ? "" : fish_value(option);
  return fish_line(condition,
                   fmt::format("{}{} -d {}", flags, value, fish_quoted(in_short(option.description))));
}

std::string fish_command(const CommandEntry& command) {
  const std::string path = fish_path(command), here = "__mercer_at " + (path.empty() ? "''" : path);
  std::string text;
  for (const CommandEntry& below : command.commands)
    text += fish_line(here, fmt::format("-a {} -d {}", below.name, fish_quoted(in_short(below.summary))));
  for (const OptionEntry& option : command.options) {
    if (!option.positional())
      text += fish_option(path.empty() ? "__mercer_global" : here, option);
    else if (!option.words.empty())
      text += fish_line(here, fmt::format("-a '{}'", fmt::join(option.words, " ")));
    else if (option.file)
      text += fish_line(here, "-F");
  }
  if (command.takes_all) text += fish_line(here, "-F");
  return text;
}

// __mercer_at tells whether the commands so far are the given ones; the commands of LIBSVM take no global
// options.
constexpr const char* fish_frame = R"(# fish completion for mercer, written by 'mercer completion fish'
function __mercer_path
    set -l path
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        set -l next (string trim -- "$path $word")
        contains -- "$next" {paths}; and set path $next
    end
    echo $path
end
function __mercer_at
    test (__mercer_path) = "$argv"
end
function __mercer_global
    not contains -- (__mercer_path) {own}
end
complete -c mercer -f
)";

std::string fish_completion(const CommandEntry& program) {
  std::vector<std::string> paths, own;
  std::string lines;
  for (const CommandEntry* command : all_commands(program)) {
    lines += fish_command(*command);
    if (command == &program) continue;
    paths.push_back(fish_quoted(fish_path(*command)));
    if (command->takes_all) own.push_back(fish_quoted(fish_path(*command)));
  }
  return fmt::format(fish_frame, fmt::arg("paths", fmt::format("{}", fmt::join(paths, " "))),
                     fmt::arg("own", fmt::format("{}", fmt::join(own, " ")))) +
         lines;
}

}  // namespace

void add_completion(CLI::App& app, Session&) {
  auto* command = app.add_subcommand(
      "completion", "print a script that completes mercer's commands and options in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "the shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "To use it now and in new shells:\n"
      "  bash  mercer completion bash > ~/.local/share/bash-completion/completions/mercer\n"
      "  zsh   mercer completion zsh > DIRECTORY/_mercer, for a DIRECTORY in $fpath\n"
      "  fish  mercer completion fish > ~/.config/fish/completions/mercer.fish");
  command->callback([&app, shell] {
    const CommandEntry program = command_tree(app);
    fmt::print("{}", *shell == "bash"  ? bash_completion(program)
                     : *shell == "zsh" ? zsh_completion(program)
                                       : fish_completion(program));
  });
}

}  // namespace mercer::cli
