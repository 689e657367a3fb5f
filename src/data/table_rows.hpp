// One piece of a table, parsed into its rows of the final array, and what is said about cells that are not
// what their column holds.
#pragma once

#include <map>

#include "data/assemble.hpp"
#include "data/table_layout.hpp"

namespace mercer {

/// Cells of one column that are not what it holds.
struct CellCounts {
  std::size_t missing = 0;
  std::size_t strange = 0;   ///< texts among numbers, or unknown categories
  std::string example = {};  ///< the first strange one

  void add_strange(std::string_view text) {
    if (strange++ == 0) example = text;
  }
};
using CellsOfColumns = std::map<std::size_t, CellCounts>;

struct TableChunk {
  std::string_view text;
  std::size_t number = 0;
  std::size_t first_row = 0, rows = 0;
};

/// How many records the piece holds; blank lines count in tables of one column only.
std::size_t count_records(std::string_view piece, bool one_column) noexcept;

/// Returns the cells that are missing or strange.
template <class T>
CellsOfColumns parse_table_chunk(const TextSource& source, const ReadOptions& options,
                                 const TableLayout& layout, const TableChunk& chunk, Dense<T>& out,
                                 Parts& parts);

/// A sentence for each thing that was done about the cells found in the pieces of a table. `fills`: whether
/// missing cells were filled in without being asked to.
std::vector<std::string> cell_notes(const std::vector<CellsOfColumns>& pieces, const TableLayout& layout,
                                    bool fills);

}  // namespace mercer
