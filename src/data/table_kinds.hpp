// What the columns of a table are that people keep for themselves: some name rows, some are empty, one holds
// the date, one is prose. A kernel on rows of numbers learns nothing from those; leaving them out is better
// than refusing the table, as long as it is said.
#pragma once

#include <string_view>
#include <vector>

#include "data/table_layout.hpp"
#include "data/text_source.hpp"

namespace mercer {

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
                  TableLayout& layout);

/// A name that people give to the numbers of rows: id, index, PassengerId, user_id.
bool names_an_identifier(std::string_view name);

}  // namespace mercer
