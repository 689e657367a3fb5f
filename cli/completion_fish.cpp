#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/completion.hpp"

namespace mercer::cli {

namespace {

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

}  // namespace

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

}  // namespace mercer::cli
