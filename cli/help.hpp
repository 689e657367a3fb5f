// What the program says of its own usage: help, as wide as the terminal, and what is wrong with a command
// line that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace mercer::cli {

std::shared_ptr<CLI::FormatterBase> help_formatter();

/// A few lines for `mercer` without a command: what there is to begin with, and an example.
std::string short_usage(const CLI::App& app);

/// What is said of a misspelt command, or empty: help that is asked for it cannot be given.
std::string unknown_command_complaint(const CLI::App& app);

/// What was wrong, the nearest word that would be right, and where to read on.
std::string complaint_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mercer::cli
