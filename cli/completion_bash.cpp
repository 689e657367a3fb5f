#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/completion.hpp"

namespace mercer::cli {

namespace {

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
  std::vector<std::string> below;
  for (const CommandEntry& one : command.commands) below.push_back(one.name);
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

}  // namespace

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

}  // namespace mercer::cli
