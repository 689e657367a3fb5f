// Cells that are not what their column holds, counted while many tasks parse a table, and what is said about
// them.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "data/table_layout.hpp"

namespace mercer {

/// Of one column.
struct CellCounts {
  std::size_t missing = 0;
  std::size_t strange = 0;   ///< texts among numbers, or unknown categories
  std::string example = {};  ///< the first strange one

  void add_strange(std::string_view text) {
    if (strange++ == 0) example = text;
  }
};
using CellsOfColumns = std::map<std::size_t, CellCounts>;

class CellNotes {
 public:
  /// What was found in piece `chunk` of the table. May be called from many threads; the order does not show.
  void add(std::size_t chunk, const CellsOfColumns& found);
  /// A sentence for each thing that was done. `fills`: whether missing cells were filled in without being
  /// asked to.
  std::vector<std::string> sentences(const TableLayout& layout, bool fills) const;

 private:
  struct Total {
    CellCounts counts;
    std::size_t chunk = 0;  // of the example
  };
  std::mutex mutex_;
  std::map<std::size_t, Total> columns_;
};

}  // namespace mercer
