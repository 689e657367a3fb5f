// Another table read as the first one was: its columns are found by name, or without a header by their place.
#pragma once

#include <cstddef>
#include <vector>

#include "data/table_layout.hpp"
#include "data/text_source.hpp"

namespace mercer {

/// The columns that a schema names as its target; none where one of them is not there.
std::vector<std::size_t> targets_in_schema(const Schema& schema, const TableLayout& layout);

/// Without a header, a table of just as many columns as the first one had beside its target has no target
/// among them.
bool has_features_only(const Schema& schema, const TableLayout& layout);

/// Gives each column of the table its place in the schema. Refuses a table that lacks one; those the schema
/// does not know are refused, or where the table is read tolerantly ignored.
void match_schema(const TextSource& source, const Schema& schema, bool tolerant, TableLayout& layout);

/// "column 'a' is" or "columns 'a', 'b' are": the start of a note.
std::string columns_are(const std::vector<std::string>& names, const char* one = "is",
                        const char* several = "are");

}  // namespace mercer
