#include "data/table_sample.hpp"

#include <algorithm>

#include "data/decimal.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_looked_at = 1000;

bool is_text(const Field& field) noexcept { return read_number(field.text).kind == Number::Kind::text; }

void add_cell(SampleColumn& column, const Field& field) {
  const Number::Kind kind = read_number(field.text).kind;
  if (kind == Number::Kind::missing) return;
  const bool text = kind == Number::Kind::text;
  if (text && column.texts++ == 0) column.first_text = field;
  if (!text && column.numbers++ == 0) column.first_number = field;
}

bool all_quoted(const std::vector<Field>& row) noexcept {
  return std::all_of(row.begin(), row.end(), [](const Field& field) { return field.quoted; });
}

struct Rows {
  std::vector<std::vector<Field>> rows;
  const char* second = nullptr;  // where the second row starts
};

Rows first_rows(const TextSource& source, char delimiter) {
  Rows result;
  const char* p = source.text().data();
  const char* const last = p + source.text().size();
  while (p != last && result.rows.size() <= rows_looked_at) {
    if (is_blank_line(p, last)) {
      // In a table of one column a blank line is a missing cell; in front of the first row it is nothing.
      const bool cell = !result.rows.empty() && result.rows.front().size() == 1;
      const char* const next = skip_blank_line(p, last);
      if (cell) result.rows.push_back({Field{{p, 0}}});
      p = next;
      continue;
    }
    p = scan_record(source, p, last, delimiter, result.rows.emplace_back());
    if (result.rows.size() == 1) result.second = p;
  }
  return result;
}

/// Does the text of a cell of the first row appear again below it?
bool recurs(const std::vector<std::vector<Field>>& rows, std::size_t column) {
  const std::string_view name = rows[0][column].text;
  return std::any_of(rows.begin() + 1, rows.end(), [&](const std::vector<Field>& row) {
    return column < row.size() && row[column].text == name;
  });
}

bool looks_like_header(const std::vector<std::vector<Field>>& rows, const std::vector<SampleColumn>& below,
                       const std::vector<std::string>& known_names) {
  const std::vector<Field>& first = rows[0];
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (is_text(first[j]) && below[j].numbers > 0 && below[j].texts == 0) return true;
    if (std::find(known_names.begin(), known_names.end(), first[j].text) != known_names.end()) return true;
  }
  if (rows.size() > 1 && all_quoted(first) && !all_quoted(rows[1])) return true;
  if (!std::all_of(first.begin(), first.end(), is_text)) return false;
  for (std::size_t j = 0; j < first.size(); ++j)
    if (recurs(rows, j)) return false;
  return true;
}

}  // namespace

TableSample take_sample(const TextSource& source, char delimiter,
                        const std::vector<std::string>& known_names) {
  const auto [rows, second] = first_rows(source, delimiter);
  TableSample sample;
  sample.first_row = rows.at(0);
  sample.columns.resize(sample.first_row.size());
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t j = 0; j < std::min(rows[i].size(), sample.columns.size()); ++j)
      add_cell(sample.columns[j], rows[i][j]);
  sample.has_header = looks_like_header(rows, sample.columns, known_names);
  sample.body = sample.has_header ? second : source.text().data();
  if (!sample.has_header)
    for (std::size_t j = 0; j < sample.columns.size(); ++j) add_cell(sample.columns[j], sample.first_row[j]);
  return sample;
}

}  // namespace mercer
