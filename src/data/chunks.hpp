// A text cut into pieces that are parsed independently. The cuts depend on the text alone, not on the number
// of threads, and the error reported is the first in file order: both are the same for any number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "data/text_source.hpp"

namespace mercer {

/// Small enough that two threads share a file of a megabyte evenly, large enough that a task costs nothing.
inline constexpr std::size_t default_chunk_bytes = 256 << 10;

/// Pieces of about `chunk_bytes`, each ending with a line end (but the last, perhaps).
std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t chunk_bytes);

/// The same for the part `text` of a table, where a line end between quotes does not end the record.
std::vector<std::string_view> cut_at_records(const TextSource& source, std::string_view text,
                                             std::size_t chunk_bytes, int threads);

/// Runs task(0) … task(count − 1) in parallel and rethrows the exception of the lowest task that failed.
void for_each_chunk(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

}  // namespace mercer
