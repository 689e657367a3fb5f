// What the columns of a table are, decided from its first rows before any number is stored.
//
// Header. The first row holds names where a cell of it is text above a column of numbers; where all its cells
// are text and none appears again in its column; where all of it, but not all of the second row, is between
// quotes; or where one of its cells is a name the caller knows (of the schema, the target or the weights).
// Kinds. A column is numeric where the first 1000 rows hold numbers in it, and categorical where they hold
// text. A text among numbers is refused as a slip: it is never turned into categories. Of a table that is
// read tolerantly, all rows are looked at instead (table_kinds.hpp).
// Another table is read as the first one was: its columns are found by name, or without a header by their
// place (table_schema.cpp).
#pragma once

#include <unordered_map>

#include "data/fields.hpp"

namespace mercer {

struct TableColumn {
  enum class Role { numeric, date, categorical, object, target, weights, ignored };
  Role role = Role::numeric;
  std::string name;
  const char* at = nullptr;  ///< its cell in the first row, for messages
  /// The first of its columns among the points; of objects: which of their columns.
  std::size_t point_column = 0;
  Domain domain = Domain::text;  ///< of objects
  std::size_t output = 0;        ///< of the target: which of its numbers the column holds
  bool keep = false;             ///< learned from whatever it looks like
  Schema::Dates dates = Schema::Dates::none;
  std::vector<std::string> categories;  ///< one 0/1 column each
  std::unordered_map<std::string_view, std::size_t> category_number;

  /// Becomes columns of the points.
  bool is_numbers() const noexcept {
    return role == Role::numeric || role == Role::date || role == Role::categorical;
  }
};

struct TableLayout {
  std::vector<TableColumn> columns;  ///< in the order of the file
  std::string_view body;             ///< the text behind the header
  bool has_header = false;
  bool tolerant = false;      ///< columns that tell nothing are left out
  bool find_objects = false;  ///< but those of prose, sequences and SMILES stay objects
  char delimiter = ',';
  std::unordered_map<std::string, std::size_t> number_of;  ///< the columns by name
  std::vector<Note> notes;

  /// The number of columns where none has the name.
  std::size_t index_of(const std::string& name) const;
  std::vector<std::string> names() const;
  const TableColumn* find(TableColumn::Role role) const noexcept;
  /// The columns of the target, by output.
  std::vector<const TableColumn*> targets() const;
};

/// "?", the category of missing cells: no text that can be one.
inline constexpr std::string_view missing_category = "?";

/// Beyond this many, a column of text is taken for an identifier or prose, and refused.
inline constexpr std::size_t most_categories = 1000;

/// Everything but the categories and, where the table is read tolerantly without a schema, the kinds of
/// columns.
TableLayout lay_out(const TextSource& source, const ReadOptions& options, char delimiter);

struct SampleColumn {
  std::size_t numbers = 0, texts = 0;  ///< cells of the rows behind the header
  Field first_text;
};

struct TableSample {
  std::vector<Field> first_row;
  bool has_header = false;
  const char* body = nullptr;         ///< where the rows behind the header start
  std::vector<SampleColumn> columns;  ///< as many as the first row has
};

/// Looks at up to 1000 rows. `known_names` are cells that only a header can hold.
TableSample take_sample(const TextSource& source, char delimiter,
                        const std::vector<std::string>& known_names);

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
