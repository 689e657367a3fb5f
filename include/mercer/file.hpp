// Writing a text file whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// Writes through a temporary file beside `path` that is renamed at the end; "-" is standard output.
void write_file(const std::string& path, std::string_view text);

}  // namespace mercer
