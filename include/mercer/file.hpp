// Writing a text file whole or not at all; which file an address is of.
#pragma once

#include <string>
#include <string_view>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// Writes through a temporary file beside `path` that is renamed at the end; "-" is standard output.
void write_file(const std::string& path, std::string_view text);

/// The name of the file that is mapped there while it is read; null for none. For a signal handler: a file
/// that becomes shorter while it is read ends in a bus error.
const char* mapped_file_at(const void* address) noexcept;

}  // namespace mercer
