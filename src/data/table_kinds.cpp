#include "data/table_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/byte_message.hpp"
#include "data/chunks.hpp"
#include "data/decimal.hpp"

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

using Role = TableColumn::Role;

/// Fewer rows may look like anything.
constexpr std::size_t rows_that_tell = 10;
/// Texts of so many words on average are sentences.
constexpr std::size_t words_of_prose = 6;
/// Longer words on average are hardly names.
constexpr std::size_t bytes_of_words = 15;

enum class Reason { none, empty, constant, counts, identifier, names, prose, sequences, many, ambiguous };
constexpr std::size_t reasons = 10;

/// Of one column; of several.
constexpr std::array<std::pair<const char*, const char*>, reasons> words_for{{
    {"", ""},
    {"it has no values", "they have no values"},
    {"it has the same value in every row", "each has the same value in every row"},
    {"it numbers the rows", "they number the rows"},
    {"it looks like an ID, with a different number in each row",
     "they look like IDs, with a different number in each row"},
    {"it looks like an ID, with texts that differ from row to row",
     "they look like IDs, with texts that differ from row to row"},
    {"it holds prose; a kernel of texts can use it, as in normalize(bow)@COLUMN",
     "they hold prose; a kernel of texts can use them, as in normalize(bow)@COLUMN"},
    {"it holds long texts that differ from row to row; if they are sequences, such as DNA, a kernel of "
     "sequences can use it, as in normalize(spectrum(k=4))@COLUMN",
     "they hold long texts that differ from row to row; if they are sequences, such as DNA, a kernel of "
     "sequences can use them, as in normalize(spectrum(k=4))@COLUMN"},
    {"it holds more than 1000 different texts", "each holds more than 1000 different texts"},
    {"its dates may have the day or the month first; write 2024-01-31",
     "their dates may have the day or the month first; write 2024-01-31"},
}};
static_assert(most_categories == 1000);

Reason why_not_numbers(const ColumnSurvey& s, const std::string& name) {
  const std::size_t rows = s.missing + s.numbers + s.texts;
  if (s.least == s.greatest && rows > 1) return Reason::constant;
  if (s.numbers < rows_that_tell || s.numbers < rows) return Reason::none;
  if (s.counts_up && (s.first == 0 || s.first == 1)) return Reason::counts;
  return names_an_identifier(name) && s.whole && !s.repeats ? Reason::identifier : Reason::none;
}

/// A few kinds of texts among numbers are words for a missing one; more of them are what the column is about.
bool is_numeric(const ColumnSurvey& s) noexcept {
  constexpr std::size_t words_for_missing = 5;
  return s.numbers > s.texts && (s.different.size() <= words_for_missing || s.texts * 20 <= s.numbers);
}

Reason why_not_categories(const ColumnSurvey& s) {
  const std::size_t different = s.different.size();
  if (different == 1 && s.numbers == 0 && s.missing == 0 && s.texts > 1) return Reason::constant;
  const bool mostly_different = different > rows_that_tell && different * 2 > s.texts;
  if (s.words >= words_of_prose * s.texts && (mostly_different || different > most_categories))
    return Reason::prose;
  if (mostly_different) return s.bytes > bytes_of_words * s.words ? Reason::sequences : Reason::names;
  return different > most_categories ? Reason::many : Reason::none;
}

bool only(const std::bitset<256>& letters, std::string_view allowed) {
  std::bitset<256> rest = letters;
  for (const char c : allowed) rest.reset(static_cast<unsigned char>(c));
  return rest.none();
}

/// What texts that differ from row to row are objects of; none where they are names.
std::optional<Domain> domain_of(const ColumnSurvey& s, const std::string& name, Reason reason) {
  if (reason == Reason::prose) return Domain::text;
  if (reason != Reason::sequences && reason != Reason::names && reason != Reason::many) return std::nullopt;
  const std::string lower = lower_case(name);
  constexpr std::string_view smiles =
      "ABCDEFGHIKLMNOPRSTUVWXYZabcdefghiklmnoprstuy0123456789()[]=#@+-/\\.%:$*";
  const bool has_bonds = s.letters.test('(') || s.letters.test('=') || s.letters.test('#');
  if (only(s.letters, smiles) && (lower.find("smiles") != lower.npos || (has_bonds && s.words == s.texts)))
    return Domain::molecule;
  if (s.bytes <= bytes_of_words * s.words) return std::nullopt;
  if (only(s.letters, "ACGTUNacgtun") || only(s.letters, "ABCDEFGHIKLMNPQRSTUVWXYZ*-"))
    return Domain::sequence;
  return std::nullopt;
}

/// Sets the kind, and tells why the column had better be left out.
Reason choose_kind(const ColumnSurvey& s, TableColumn& column) {
  column.dates = s.numbers == 0 ? s.dates.order(s.texts) : Schema::Dates::none;
  if (s.numbers + s.texts == 0) return Reason::empty;
  if (column.dates != Schema::Dates::none) {
    column.role = Role::date;
    return s.different.size() == 1 && s.texts > 1 ? Reason::constant : Reason::none;
  }
  if (is_numeric(s)) return why_not_numbers(s, column.name);
  column.role = Role::categorical;
  return s.numbers == 0 && s.dates.ambiguous(s.texts) ? Reason::ambiguous : why_not_categories(s);
}

bool is_learned_from(const TableColumn& column) noexcept {
  return column.is_numbers() || column.role == Role::object;
}

std::vector<Hint> may_keep(Reason why, const std::vector<std::string>& columns) {
  if (why != Reason::counts && why != Reason::identifier) return {};
  return {{Remedy::keep_column, columns.size() == 1 ? columns.front() : ""}};
}

void write_notes(const std::vector<Reason>& why, TableLayout& layout) {
  std::array<std::vector<std::string>, reasons> left_out;
  std::vector<std::string> dates;
  for (std::size_t j = 0; j < why.size(); ++j) {
    left_out[std::size_t(why[j])].push_back(layout.columns[j].name);
    if (layout.columns[j].role == Role::date) dates.push_back(layout.columns[j].name);
  }
  for (std::size_t r = 1; r < reasons; ++r)
    if (!left_out[r].empty())
      layout.notes.push_back({fmt::format("{} dropped: {}", columns_are(left_out[r]),
                                          left_out[r].size() == 1 ? words_for[r].first : words_for[r].second),
                              may_keep(Reason(r), left_out[r])});
  for (const TableColumn& column : layout.columns)
    if (column.role == Role::object)
      layout.notes.push_back(
          {fmt::format("{} {}", columns_are({column.name}, "holds", "hold"), plural_of(column.domain)),
           {},
           column.name});
  if (!dates.empty())
    layout.notes.push_back(columns_are(dates, "holds", "hold") +
                           " dates: days since 1970-01-01 are learned from");
}

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
  ++texts;
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
  missing += next.missing;
  numbers += next.numbers;
  texts += next.texts;
  words += next.words;
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

void ColumnSurvey::append_to(std::string& bytes) const {
  for (const std::size_t count : {missing, numbers, texts, words, this->bytes}) append_value(bytes, count);
  for (const double number : {least, greatest, first, last}) append_value(bytes, number);
  for (const bool is : {counts_up, whole, compare, repeats}) append_value(bytes, is);
  append_texts(bytes, different);
  append_value(bytes, letters);
  append_value(bytes, dates);
  append_values(bytes, std::vector<double>(values.begin(), values.end()));
}

ColumnSurvey ColumnSurvey::from(std::string_view& bytes) {
  ColumnSurvey found;
  for (std::size_t* count : {&found.missing, &found.numbers, &found.texts, &found.words, &found.bytes})
    *count = take_value<std::size_t>(bytes);
  for (double* number : {&found.least, &found.greatest, &found.first, &found.last})
    *number = take_value<double>(bytes);
  for (bool* is : {&found.counts_up, &found.whole, &found.compare, &found.repeats})
    *is = take_value<bool>(bytes);
  for (std::string& text : take_texts(bytes)) found.different.insert(std::move(text));
  found.letters = take_value<std::bitset<256>>(bytes);
  found.dates = take_value<DateCells>(bytes);
  for (const double value : take_values<double>(bytes)) found.values.insert(value);
  return found;
}

namespace {

std::vector<ColumnSurvey> survey_of_ranks(const std::vector<ColumnSurvey>& own, const Ranks& ranks) {
  std::string message;
  for (const ColumnSurvey& column : own) column.append_to(message);
  std::vector<ColumnSurvey> all;
  for (const std::string& one : ranks.gather(message)) {
    std::string_view rest = one;
    for (std::size_t j = 0; j < own.size(); ++j) {
      ColumnSurvey column = ColumnSurvey::from(rest);
      if (all.size() < own.size())
        all.push_back(std::move(column));
      else
        all[j].add(column);
    }
  }
  return all;
}

}  // namespace

std::vector<ColumnSurvey> survey(const TextSource& source, const std::vector<std::string_view>& pieces,
                                 int threads, const TableLayout& layout, const std::vector<char>& compare,
                                 const Ranks* ranks) {
  // Many pieces go to one survey: each holds something for every column, and a table may be wide.
  const std::size_t groups = std::clamp<std::size_t>(pieces.size(), 1, 64);
  std::vector<std::vector<ColumnSurvey>> found(groups);
  agreed(ranks, [&] {
    parallel_for(groups, threads, [&](std::size_t g) {
      Surveyor surveyor(source, layout, compare);
      for (std::size_t i = g * pieces.size() / groups; i < (g + 1) * pieces.size() / groups; ++i) {
        surveyor.survey(pieces[i]);
        source.forget(pieces[i]);
      }
      found[g] = std::move(surveyor.columns);
    });
  });
  std::vector<ColumnSurvey> all = std::move(found.at(0));
  for (std::size_t g = 1; g < groups; ++g) {
    for (std::size_t j = 0; j < all.size(); ++j) all[j].add(found[g][j]);
    found[g] = {};
  }
  return ranks ? survey_of_ranks(all, *ranks) : all;
}

bool names_an_identifier(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names = {
      "id",         "index", "idx", "row", "rows", "rownum",     "row number",
      "row_number", "nr",    "no",  "key", "uuid", "unnamed: 0", "#"};
  const std::string lower = lower_case(name);
  if (std::ranges::find(names, lower) != names.end()) return true;
  // The end of a word of its own: user_id, PassengerId, customerID, but not humid.
  if (name.size() < 3 || !lower.ends_with("id")) return false;
  const char before = name[name.size() - 3], first = name[name.size() - 2];
  return before == '_' || before == '-' || before == ' ' || before == '.' ||
         (first == 'I' && !(before >= 'A' && before <= 'Z'));
}

void choose_kinds(const TextSource& source, const std::vector<std::string_view>& pieces, int threads,
                  TableLayout& layout, const Ranks* ranks) {
  const std::size_t count = layout.columns.size();
  std::vector<char> compare(count);
  for (std::size_t j = 0; j < count; ++j) compare[j] = names_an_identifier(layout.columns[j].name);
  const std::vector<ColumnSurvey> surveys = survey(source, pieces, threads, layout, compare, ranks);
  std::vector<Reason> why(count, Reason::none);
  bool any = false;
  for (std::size_t j = 0; j < count; ++j) {
    TableColumn& column = layout.columns[j];
    if (column.role != Role::numeric) continue;
    why[j] = choose_kind(surveys[j], column);
    if (column.keep && why[j] != Reason::empty) why[j] = Reason::none;
    if (const auto domain = layout.find_objects ? domain_of(surveys[j], column.name, why[j]) : std::nullopt) {
      column.role = Role::object;
      column.domain = *domain;
      why[j] = Reason::none;
    }
    any |= why[j] == Reason::none;
  }
  // Where nothing else is left, numbers that count the rows are the x of a curve.
  for (std::size_t j = 0; j < count && !any; ++j)
    if (why[j] == Reason::counts) why[j] = Reason::none;
  for (std::size_t j = 0; j < count; ++j)
    if (why[j] != Reason::none) layout.columns[j].role = Role::ignored;
  write_notes(why, layout);
  if (std::ranges::any_of(layout.columns, is_learned_from)) return;
  std::string all;
  for (const Note& note : layout.notes) all += (all.empty() ? "" : "; ") + note.text;
  source.refuse(source.text().data(),
                fmt::format("there is no column to learn from{}{}", all.empty() ? "" : ": ", all),
                "add one, or keep one of them");
}

}  // namespace mercer
