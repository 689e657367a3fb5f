// Completion scripts for shells, made from the tree of commands. Each file completes commands, options and
// the values that are known: words, names of kernels, methods and metrics, and files.
#pragma once

#include <string>

#include "cli/command_tree.hpp"

namespace mercer::cli {

std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

/// A description for a menu: up to its first semicolon or parenthesis.
std::string in_short(const std::string& description);

/// The command, those below it, and so on, from the program on.
std::vector<const CommandEntry*> all_commands(const CommandEntry& program);

}  // namespace mercer::cli
