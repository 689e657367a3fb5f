// How help looks: as wide as the terminal, descriptions beside their options and wrapped below each other.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace mercer::cli {

std::shared_ptr<CLI::FormatterBase> help_formatter();

/// A few lines for `mercer` without a command: what there is to begin with, and an example.
std::string short_usage(const CLI::App& app);

}  // namespace mercer::cli
