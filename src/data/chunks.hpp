// A text cut into pieces that are parsed independently. The cuts depend on the text alone, so that they are
// the same for any number of threads. And bytes counted at memory speed, for the first pass over a text: how
// many rows and entries will there be?
#pragma once

#include "base/parallel.hpp"
#include "data/text_source.hpp"

namespace mercer {

/// Small enough that two threads share a file of a megabyte evenly, large enough that a task costs nothing.
inline constexpr std::size_t default_chunk_bytes = 256 << 10;

/// Pieces of about `chunk_bytes`, each ending with a line end (but the last, perhaps).
std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t chunk_bytes);

/// The same for the part `text` of a table, where a line end between quotes does not end the record.
std::vector<std::string_view> cut_at_records(const TextSource& source, std::string_view text,
                                             std::size_t chunk_bytes, int threads);

struct LineCounts {
  std::size_t lines = 0;   ///< line ends, and a last line without one
  std::size_t blanks = 0;  ///< of those, lines with nothing in them (or a carriage return)
  std::size_t quotes = 0;  ///< '"'
};

/// `text` starts at the start of a line.
LineCounts count_lines(std::string_view text) noexcept;

struct EntryCounts {
  std::size_t colons = 0;
  std::size_t queries = 0;  ///< "d:", as in qid:
  std::size_t zeros = 0;    ///< ":0" before a space, a tab, a line end or the end, and not after 'd'
};

EntryCounts count_entries(std::string_view text) noexcept;

}  // namespace mercer
