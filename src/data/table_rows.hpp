// One piece of a table, parsed into its rows of the final array.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "data/assemble.hpp"
#include "data/cell_notes.hpp"
#include "data/table_layout.hpp"
#include "data/text_source.hpp"

namespace mercer {

struct TableChunk {
  std::string_view text;
  std::size_t number = 0;
  std::size_t first_row = 0, rows = 0;
};

/// How many records the piece holds; blank lines count in tables of one column only.
std::size_t count_records(std::string_view piece, bool one_column) noexcept;

/// Cells that are missing or strange are counted in `notes`.
template <class T>
void parse_table_chunk(const TextSource& source, const ReadOptions& options, const TableLayout& layout,
                       const TableChunk& chunk, Dense<T>& out, Parts& parts, CellNotes& notes);

}  // namespace mercer
