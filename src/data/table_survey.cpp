#include "data/table_survey.hpp"

#include <algorithm>
#include <cmath>

#include "data/chunks.hpp"
#include "data/decimal.hpp"
#include "data/fields.hpp"
#include "data/table_categories.hpp"

namespace mercer {

namespace {

std::size_t words_in(std::string_view text) noexcept {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

class Surveyor {
 public:
  std::vector<ColumnSurvey> columns;

  Surveyor(const TextSource& source, const TableLayout& layout, const std::vector<char>& compare)
      : columns(layout.columns.size()), source_(source), layout_(layout) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].compare = compare[j];
  }

  /// Rows of the wrong length are met later, when they are parsed.
  void survey(std::string_view piece) {
    last_ = piece.data() + piece.size();
    for (const char* p = piece.data(); p != last_;) {
      if (columns.size() > 1 && is_blank_line(p, last_)) {
        p = skip_blank_line(p, last_);
        continue;
      }
      for (std::size_t j = 0;; ++j) {
        p = cell(p, j);
        if (p == last_) return;
        if (*p++ == '\n') break;
      }
    }
  }

 private:
  const char* cell(const char* p, std::size_t j) {
    const bool wanted = j < columns.size() && layout_.columns[j].role == TableColumn::Role::numeric;
    double value;
    const char* const end = wanted ? parse_decimal(p, last_, value) : nullptr;
    if (end && (end == last_ || *end == layout_.delimiter || *end == '\n')) {
      columns[j].add_number(value);
      return end;
    }
    Field field;
    p = scan_field(source_, p, last_, layout_.delimiter, field);
    if (!wanted) return p;
    const Number number = read_number(field.text);
    if (number.kind == Number::Kind::number)
      columns[j].add_number(number.value);
    else if (number.kind == Number::Kind::missing || number.kind == Number::Kind::infinite)
      ++columns[j].missing;
    else
      columns[j].add_text(field.unescape(scratch_));
    return p;
  }

  const TextSource& source_;
  const TableLayout& layout_;
  const char* last_ = nullptr;
  std::string scratch_;
};

}  // namespace

void ColumnSurvey::add_number(double value) {
  if (numbers == 0)
    first = value;
  else
    counts_up = counts_up && value == last + 1;
  last = value;
  ++numbers;
  least = std::min(least, value);
  greatest = std::max(greatest, value);
  whole = whole && value == std::floor(value);
  if (compare && !repeats) repeats = !values.insert(value + 0.0).second;  // −0 and 0 are the same
}

void ColumnSurvey::add_text(std::string_view cell) {
  if (texts++ == 0) text = cell;
  words += words_in(cell);
  bytes += cell.size();
  for (const char c : cell) letters.set(static_cast<unsigned char>(c));
  dates.add(cell);
  if (different.size() <= most_categories && different.find(cell) == different.end()) different.emplace(cell);
}

void ColumnSurvey::add(const ColumnSurvey& next) {
  if (next.numbers > 0) {
    counts_up = counts_up && next.counts_up && (numbers == 0 || next.first == last + 1);
    if (numbers == 0) first = next.first;
    last = next.last;
  }
  if (texts == 0) text = next.text;
  missing += next.missing, numbers += next.numbers, texts += next.texts, words += next.words,
      bytes += next.bytes;
  least = std::min(least, next.least);
  greatest = std::max(greatest, next.greatest);
  whole = whole && next.whole;
  dates.add(next.dates);
  for (const std::string& word : next.different)
    if (different.size() <= most_categories) different.insert(word);
  letters |= next.letters;
  repeats = repeats || next.repeats;
  for (const double value : next.values)
    if (!repeats) repeats = !values.insert(value).second;
}

std::vector<ColumnSurvey> survey(const TextSource& source, const std::vector<std::string_view>& pieces,
                                 int threads, const TableLayout& layout, const std::vector<char>& compare) {
  // Many pieces go to one survey: each holds something for every column, and a table may be wide.
  const std::size_t groups = std::min<std::size_t>(pieces.size(), 64);
  std::vector<std::vector<ColumnSurvey>> found(groups);
  for_each_chunk(groups, threads, [&](std::size_t g) {
    Surveyor surveyor(source, layout, compare);
    for (std::size_t i = g * pieces.size() / groups; i < (g + 1) * pieces.size() / groups; ++i) {
      surveyor.survey(pieces[i]);
      source.forget(pieces[i]);
    }
    found[g] = std::move(surveyor.columns);
  });
  std::vector<ColumnSurvey> all = std::move(found.at(0));
  for (std::size_t g = 1; g < groups; ++g) {
    for (std::size_t j = 0; j < all.size(); ++j) all[j].add(found[g][j]);
    found[g] = {};
  }
  return all;
}

}  // namespace mercer
