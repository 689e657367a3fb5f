// What is said of a command line that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mercer::cli {

/// What is said of a misspelt command, or empty: help that is asked for it cannot be given.
std::string unknown_command_complaint(const CLI::App& app);

/// What was wrong, the nearest word that would be right, and where to read on.
std::string complaint_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mercer::cli
