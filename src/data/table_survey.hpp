// One pass over a whole table for what its columns hold, before it is decided what they are.
#pragma once

#include <bitset>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/dates.hpp"
#include "data/table_layout.hpp"
#include "data/text_source.hpp"

namespace mercer {

/// What is known of the cells of a column. Two pieces of a table add up to the same as the whole.
struct ColumnSurvey {
  std::size_t missing = 0, numbers = 0, texts = 0;  ///< infinite numbers are missing
  double least = std::numeric_limits<double>::infinity(), greatest = -least;  ///< of the numbers
  double first = 0, last = 0;                                                 ///< of the numbers
  bool counts_up = true;                         ///< every number is the one before it, plus 1
  bool whole = true;                             ///< the numbers are integers
  std::set<std::string, std::less<>> different;  ///< texts, up to most_categories + 1
  std::size_t words = 0, bytes = 0;              ///< of all texts
  std::string text;                              ///< the first
  std::bitset<256> letters;                      ///< the bytes of all texts
  DateCells dates;                               ///< of the texts
  bool compare = false;  ///< whether `values` are kept, to see whether two rows have the same
  bool repeats = false;  ///< two rows have the same number
  std::unordered_set<double> values;

  void add_number(double value);
  void add_text(std::string_view text);
  void add(const ColumnSurvey& next);
};

/// Of every column with a role that points come from (the others stay empty). `compare`: the columns whose
/// numbers are compared.
std::vector<ColumnSurvey> survey(const TextSource& source, const std::vector<std::string_view>& pieces,
                                 int threads, const TableLayout& layout, const std::vector<char>& compare);

}  // namespace mercer
