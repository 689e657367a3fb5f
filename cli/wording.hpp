// What the library's hints are on the command line: flags and commands.
#pragma once

#include "mercer/error.hpp"

namespace mercer::cli {

/// E.g. "name its column with --target".
std::string flag_words(const Hint& hint);

}  // namespace mercer::cli
