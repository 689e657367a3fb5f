// What the library's hints are on the command line: flags and commands.
#pragma once

#include "mercer/error.hpp"

namespace mercer::cli {

/// E.g. "name its column with --target".
std::string flag_words(const Hint& hint);

/// The flag of a method's parameter: "--least-squares" for least_squares, "--tube" for epsilon.
std::string flag_of(std::string_view parameter);
/// The other way round, for words that name a parameter as its flag does: "epsilon" for "tube".
std::string parameter_of(const std::string& word);

}  // namespace mercer::cli
