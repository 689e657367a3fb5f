#include "data/table_sample.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

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

/// Walks through the first rows, keeping of the later ones only what they tell: a wide table has many cells.
class Walk {
 public:
  Walk(const TextSource& source, char delimiter, TableSample& sample) : sample_(sample) {
    std::vector<Field> row;
    const char* p = source.text().data();
    const char* const last = p + source.text().size();
    for (std::size_t rows = 0; p != last && rows <= rows_looked_at;) {
      if (is_blank_line(p, last)) {
        // In a table of one column a blank line is a missing cell; in front of the first row it is nothing.
        const bool cell = rows > 0 && sample_.first_row.size() == 1;
        if (cell) row.assign(1, Field{{p, 0}}), add(row, rows++);
        p = skip_blank_line(p, last);
        continue;
      }
      p = scan_record(source, p, last, delimiter, row);
      add(row, rows++);
      if (rows == 1) second = p;
    }
  }

  bool looks_like_header(const std::vector<std::string>& known_names) const {
    const std::vector<Field>& first = sample_.first_row;
    const std::unordered_set<std::string_view> known(known_names.begin(), known_names.end());
    for (std::size_t j = 0; j < first.size(); ++j) {
      const SampleColumn& below = sample_.columns[j];
      if ((is_text(first[j]) && below.numbers > 0 && below.texts == 0) || known.contains(first[j].text))
        return true;
    }
    if (second_unquoted_ && all_quoted(first)) return true;
    return std::all_of(first.begin(), first.end(), is_text) && !recurs_;
  }

  const char* second = nullptr;  ///< where the second row starts

 private:
  void add(const std::vector<Field>& row, std::size_t number) {
    if (number == 0) {
      sample_.first_row = row;
      sample_.columns.resize(row.size());
      return;
    }
    if (number == 1) second_unquoted_ = !all_quoted(row);
    for (std::size_t j = 0; j < std::min(row.size(), sample_.columns.size()); ++j) {
      add_cell(sample_.columns[j], row[j]);
      recurs_ |= row[j].text == sample_.first_row[j].text;
    }
  }

  TableSample& sample_;
  bool second_unquoted_ = false;
  bool recurs_ = false;  // the text of a cell of the first row stands again below it
};

}  // namespace

TableSample take_sample(const TextSource& source, char delimiter,
                        const std::vector<std::string>& known_names) {
  TableSample sample;
  const Walk walk(source, delimiter, sample);
  sample.has_header = walk.looks_like_header(known_names);
  sample.body = sample.has_header ? walk.second : source.text().data();
  if (!sample.has_header)
    for (std::size_t j = 0; j < sample.columns.size(); ++j) add_cell(sample.columns[j], sample.first_row[j]);
  return sample;
}

}  // namespace mercer
