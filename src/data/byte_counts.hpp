// Counting bytes and neighbouring bytes at memory speed, for the first pass over a text: how many rows and
// entries will there be?
#pragma once

#include <cstddef>
#include <string_view>

namespace mercer {

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
