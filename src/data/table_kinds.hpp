// What the columns of a table are that people keep for themselves: some name rows, some are empty, one holds
// the date, one is prose. A kernel on rows of numbers learns nothing from those; leaving them out is better
// than refusing the table, as long as it is said. One pass over the whole table tells what its columns hold.
#pragma once

#include <bitset>
#include <limits>
#include <set>
#include <unordered_set>

#include "base/ranks.hpp"
#include "data/dates.hpp"
#include "data/table_layout.hpp"

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
  std::bitset<256> letters;                      ///< the bytes of all texts
  DateCells dates;                               ///< of the texts
  bool compare = false;  ///< whether `values` are kept, to see whether two rows have the same
  bool repeats = false;  ///< two rows have the same number
  std::unordered_set<double> values;

  void add_number(double value);
  void add_text(std::string_view text);
  void add(const ColumnSurvey& next);
  void append_to(std::string& bytes) const;  ///< as a message
  static ColumnSurvey from(std::string_view& bytes);
};

/// Of every column with a role that points come from (the others stay empty). `compare`: the columns whose
/// numbers are compared. `ranks`: each surveys its pieces, and all get the survey of all; null: none.
std::vector<ColumnSurvey> survey(const TextSource& source, const std::vector<std::string_view>& pieces,
                                 int threads, const TableLayout& layout, const std::vector<char>& compare,
                                 const Ranks* ranks = nullptr);

/// Gives every column that has no other role its kind, or leaves it out with a note, after a pass over all
/// rows:
///   left out      no values; one value; numbers that count the rows, or a different whole number in each row
///                 under a name like id; text that is different in most rows: names, prose, sequences; dates
///                 whose day and month cannot be told apart
///   dates         a column of dates
///   numeric       numbers, with few texts among them
///   objects       where asked for: prose; DNA, RNA and proteins by their letters; SMILES by their signs or
///                 the column's name
///   categorical   the rest
/// Refuses a table without a column left to learn from.
void choose_kinds(const TextSource& source, const std::vector<std::string_view>& pieces, int threads,
                  TableLayout& layout, const Ranks* ranks = nullptr);

/// A name that people give to the numbers of rows: id, index, PassengerId, user_id.
bool names_an_identifier(std::string_view name);

}  // namespace mercer
