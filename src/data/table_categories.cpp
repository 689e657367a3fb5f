#include "data/table_categories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/chunks.hpp"
#include "data/decimal.hpp"
#include "data/fields.hpp"
#include "data/label_column.hpp"

namespace mercer {

namespace {

using Role = TableColumn::Role;
using Words = std::set<std::string, std::less<>>;

void add_word(Words& words, const Field& field, bool with_missing, std::string& scratch) {
  std::string_view text = field.unescape(scratch);
  const bool missing = read_number(text).kind == Number::Kind::missing;
  if (words.size() > most_categories || (missing && !with_missing)) return;
  if (missing) text = missing_category;
  if (words.find(text) == words.end()) words.emplace(text);
}

/// Collects the words of the wanted columns (ascending) of one piece. Rows of the wrong length are met later.
std::vector<Words> words_of(const TextSource& source, std::string_view piece, char delimiter,
                            std::size_t columns, const std::vector<std::size_t>& wanted, bool with_missing) {
  std::vector<Words> words(wanted.size());
  std::vector<Field> fields;
  std::string scratch;
  const char* p = piece.data();
  const char* const last = p + piece.size();
  while (p != last) {
    if (columns > 1 && is_blank_line(p, last)) {
      p = skip_blank_line(p, last);
      continue;
    }
    p = scan_record(source, p, last, delimiter, fields);
    for (std::size_t k = 0; k < wanted.size() && wanted[k] < fields.size(); ++k)
      add_word(words[k], fields[wanted[k]], with_missing, scratch);
  }
  return words;
}

void set_categories(const TextSource& source, const Words& words, TableColumn& column, TableLayout& layout) {
  if (words.size() > most_categories && layout.tolerant && !column.keep) {
    column.role = Role::ignored;
    layout.notes.push_back(
        fmt::format("column {} is dropped: it holds more than {} different texts and numbers",
                    in_quotes(column.name), most_categories));
    return;
  }
  if (words.size() > most_categories)
    source.refuse(
        column.at,
        fmt::format("column {} holds more than {} different texts", in_quotes(column.name), most_categories),
        "remove it, or make it the target");
  column.categories.assign(words.begin(), words.end());
  std::sort(column.categories.begin(), column.categories.end(), label_less);
}

}  // namespace

void find_categories(const TextSource& source, const std::vector<std::string_view>& pieces, int threads,
                     bool with_missing, TableLayout& layout) {
  std::vector<std::size_t> wanted;
  for (std::size_t j = 0; j < layout.columns.size(); ++j)
    if (layout.columns[j].role == Role::categorical && layout.columns[j].categories.empty())
      wanted.push_back(j);
  if (wanted.empty()) return;
  std::vector<std::vector<Words>> found(pieces.size());
  for_each_chunk(pieces.size(), threads, [&](std::size_t i) {
    found[i] = words_of(source, pieces[i], layout.delimiter, layout.columns.size(), wanted, with_missing);
    source.forget(pieces[i]);
  });
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    Words all;
    for (std::vector<Words>& words : found)
      if (all.size() <= most_categories) all.merge(words[k]);
    set_categories(source, all, layout.columns[wanted[k]], layout);
  }
}

std::size_t place_columns(TableLayout& layout, bool placed_by_schema) {
  std::size_t next = 0, objects = 0;
  for (TableColumn& column : layout.columns) {
    if (column.role == Role::object && !placed_by_schema) column.point_column = objects++;
    if (column.role != Role::numeric && column.role != Role::date && column.role != Role::categorical)
      continue;
    if (!placed_by_schema) column.point_column = next;
    next += column.role == Role::categorical ? column.categories.size() : 1;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      column.category_number.emplace(column.categories[k], k);
  }
  return next;
}

}  // namespace mercer
