#include "data/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/dates.hpp"
#include "data/decimal.hpp"

namespace mercer {

namespace {

using Role = TableColumn::Role;

/// "'age' (177), 'fare' (1) and 3 more": columns with how many of their cells.
std::string counted(const std::vector<std::string>& columns) {
  const std::size_t shown = std::min<std::size_t>(columns.size(), 10);
  const std::string text = fmt::format("{}", fmt::join(std::span(columns).first(shown), ", "));
  return columns.size() == shown ? text : fmt::format("{} and {} more", text, columns.size() - shown);
}

std::string strange_cells(const TableColumn& column, const CellCounts& counts) {
  const bool one = counts.strange == 1;
  if (column.role == Role::categorical)
    return fmt::format(
        "column {}: {} cell{} a category that was not learned, such as {}: none of the known ones is set",
        in_quotes(column.name), counts.strange, one ? " has" : "s have", in_quotes(counts.example));
  return fmt::format("column {}: {} cell{} no {}, such as {}: taken as missing", in_quotes(column.name),
                     counts.strange, one ? " is" : "s are", column.role == Role::date ? "date" : "number",
                     in_quotes(counts.example));
}

template <class T>
class RowParser {
 public:
  RowParser(const TextSource& source, const ReadOptions& options, const TableLayout& layout,
            const TableChunk& chunk, Dense<T>& out, Parts& parts)
      : tolerant_(options.tolerant && options.missing != Missing::refuse),
        source_(source),
        options_(options),
        layout_(layout),
        chunk_(chunk),
        out_(out),
        parts_(parts),
        delimiter_(layout.delimiter),
        last_(chunk.text.data() + chunk.text.size()) {}

  CellsOfColumns found;  ///< cells that are not what their column holds

  void parse() {
    const bool one_column = layout_.columns.size() == 1;
    row_ = chunk_.first_row;
    for (const char* p = chunk_.text.data(); p != last_;) {
      if (!one_column && is_blank_line(p, last_)) {
        p = skip_blank_line(p, last_);
        continue;
      }
      // The records were counted with the same rules; a quote out of place is refused before they can differ.
      if (row_ == chunk_.first_row + chunk_.rows)
        source_.refuse(p, "a row too many", "check the quotes before it");
      p = parse_row(p);
      ++row_;
    }
  }

 private:
  const char* parse_row(const char* p) {
    const char* const line = p;
    T* const row = out_.values.data() + row_ * out_.cols;
    const std::size_t columns = layout_.columns.size();
    for (std::size_t j = 0; j < columns; ++j) {
      const TableColumn& column = layout_.columns[j];
      p = column.role == Role::numeric ? parse_numeric(p, column, row[column.point_column])
                                       : parse_other(p, column, row);
      if (j + 1 < columns) {
        if (p == last_ || *p != delimiter_) refuse_length(line);
        ++p;
      }
    }
    if (p == last_) return p;
    if (*p != '\n') refuse_length(line);
    return p + 1;
  }

  const char* parse_numeric(const char* p, const TableColumn& column, T& out) {
    double value;
    const char* const end = parse_decimal(p, last_, value);
    if (end && (end == last_ || *end == delimiter_ || *end == '\n') &&
        narrow(value, {p, std::size_t(end - p)}, out))
      return end;
    return parse_unusual(p, column, out);
  }

  /// A number with spaces or quotes around it, or none.
  const char* parse_unusual(const char* p, const TableColumn& column, T& out) {
    Field field;
    const char* const end = scan_field(source_, p, last_, delimiter_, field);
    if (tolerant_ && read_number(field.text).kind == Number::Kind::text) {
      count(column).add_strange(field.text);
      out = nan;
      return end;
    }
    const double value = unusual_value(
        source_, field.text, options_.missing,
        fmt::format("column {} holds numbers; a missing one is left empty", in_quotes(column.name)));
    if (std::isnan(value)) ++count(column).missing;
    if (!narrow(value, field.text, out)) refuse_float(source_, field.text);
    return end;
  }

  const char* parse_other(const char* p, const TableColumn& column, T* row) {
    Field field;
    p = scan_field(source_, p, last_, delimiter_, field);
    switch (column.role) {
      case Role::categorical:
        set_category(field, column, row + column.point_column);
        break;
      case Role::date:
        row[column.point_column] = date(field.text, column);
        break;
      case Role::object:
        parts_.objects[column.point_column].texts[row_] = field.unescape(scratch_);
        break;
      case Role::target:
        set_label(field, column.output);
        break;
      case Role::weights:
        set_weight(field.text);
        break;
      case Role::numeric:
      case Role::ignored:
        break;
    }
    return p;
  }

  /// The days; NaN for a missing date.
  T date(std::string_view text, const TableColumn& column) {
    if (const std::optional<double> days = days_of(text, column.dates)) return T(*days);
    if (read_number(text).kind != Number::Kind::missing) {
      if (!tolerant_)
        source_.refuse(
            text.data(),
            fmt::format("{} is not a date; column {} holds dates", in_quotes(text), in_quotes(column.name)),
            "a missing one is left empty");
      count(column).add_strange(text);
    } else {
      if (options_.missing == Missing::refuse) refuse_missing(source_, text);
      ++count(column).missing;
    }
    return nan;
  }

  void set_category(const Field& field, const TableColumn& column, T* row) {
    std::fill_n(row, column.categories.size(), T(0));
    const std::string_view text = field.unescape(scratch_);
    const auto known = column.category_number.find(text);
    if (known != column.category_number.end() && text != missing_category) {
      row[known->second] = 1;
      return;
    }
    if (read_number(text).kind == Number::Kind::missing) {
      set_missing_category(field, column, row);
      return;
    }
    if (!options_.tolerant)
      source_.refuse(field.text.data(),
                     fmt::format("unknown category {} in column {}", in_quotes(text), in_quotes(column.name)),
                     fmt::format("known are {}", listed(column.categories)));
    count(column).add_strange(text);
  }

  /// A missing category has no mean: without a category of its own it is none of the known ones. To drop the
  /// row, mark it.
  void set_missing_category(const Field& field, const TableColumn& column, T* row) {
    if (options_.missing == Missing::refuse) refuse_missing(source_, field.text);
    ++count(column).missing;
    const auto own = column.category_number.find(missing_category);
    if (own != column.category_number.end()) row[own->second] = 1;
    if (options_.missing == Missing::drop) row[0] = nan;
  }

  void set_label(const Field& field, std::size_t output) {
    // A label with doubled quotes is no number; its rewritten text lives as long as the call.
    if (field.doubled && parts_.labels.may_be_text())
      parts_.labels.set_text(chunk_.number, row_, field.unescape(scratch_), field.text.data());
    else
      parts_.labels.read(source_, chunk_.number, row_, field.text, output);
  }

  void set_weight(std::string_view text) {
    // Rows can be left out for want of a weight, but weights are not invented.
    const bool may_lack = options_.missing == Missing::drop || options_.missing == Missing::automatic;
    const Missing missing = may_lack ? Missing::drop : Missing::refuse;
    const double weight = unusual_value(source_, text, missing, "a weight is a number, 0 or more");
    if (weight < 0)
      source_.refuse(text.data(), fmt::format("weight {} is negative", in_quotes(text)),
                     "weights are 0 or more");
    parts_.weights[row_] = weight;
  }

  CellCounts& count(const TableColumn& column) {
    return found[std::size_t(&column - layout_.columns.data())];
  }

  [[noreturn]] void refuse_length(const char* line) const {
    std::vector<Field> fields;
    scan_record(source_, line, last_, delimiter_, fields);
    source_.refuse(
        line, fmt::format("the row has {} fields", fields.size()),
        fmt::format("the {} has {}", layout_.has_header ? "header" : "first row", layout_.columns.size()));
  }

  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();

  const bool tolerant_;  // a text where a number belongs is a missing one
  const TextSource& source_;
  const ReadOptions& options_;
  const TableLayout& layout_;
  const TableChunk& chunk_;
  Dense<T>& out_;
  Parts& parts_;
  const char delimiter_;
  const char* const last_;
  std::size_t row_ = 0;
  std::string scratch_;
};

}  // namespace

std::vector<std::string> cell_notes(const std::vector<CellsOfColumns>& pieces, const TableLayout& layout,
                                    bool fills) {
  constexpr std::size_t most = 20;
  CellsOfColumns columns;
  for (const CellsOfColumns& piece : pieces)
    for (const auto& [number, counts] : piece) {
      CellCounts& total = columns[number];
      if (total.strange == 0) total.example = counts.example;
      total.missing += counts.missing;
      total.strange += counts.strange;
    }
  std::vector<std::string> sentences;
  std::vector<std::string> means, own, none;
  std::size_t strange = 0;
  for (const auto& [number, counts] : columns) {
    const TableColumn& column = layout.columns[number];
    if (counts.strange > 0 && strange++ < most) sentences.push_back(strange_cells(column, counts));
    if (counts.missing == 0) continue;
    const bool has_own = column.category_number.contains(missing_category);
    (column.role != Role::categorical ? means
     : has_own                        ? own
                                      : none)
        .push_back(fmt::format("{} ({})", in_quotes(column.name), counts.missing));
  }
  if (strange > most) sentences.push_back(fmt::format("{} more columns hold such cells", strange - most));
  if (!fills) return sentences;
  if (!means.empty()) sentences.push_back("missing numbers take the mean of their column: " + counted(means));
  if (!own.empty()) sentences.push_back("missing texts are a category of their own: " + counted(own));
  if (!none.empty())
    sentences.push_back("missing texts in columns that had none before are no known category: " +
                        counted(none));
  return sentences;
}

std::size_t count_records(std::string_view piece, bool one_column) noexcept {
  const LineCounts counts = count_lines(piece);
  if (counts.quotes == 0) return counts.lines - (one_column ? 0 : counts.blanks);
  std::size_t records = 0;
  const char* p = piece.data();
  const char* const last = p + piece.size();
  bool inside = false;
  for (const char* line = p; p != last; ++p) {
    if (*p == '"') inside = !inside;
    if ((*p != '\n' && p + 1 != last) || (inside && p + 1 != last)) continue;
    records += one_column || !is_blank_line(line, last);
    line = p + 1;
  }
  return records;
}

template <class T>
CellsOfColumns parse_table_chunk(const TextSource& source, const ReadOptions& options,
                                 const TableLayout& layout, const TableChunk& chunk, Dense<T>& out,
                                 Parts& parts) {
  RowParser<T> parser(source, options, layout, chunk, out, parts);
  parser.parse();
  return std::move(parser.found);
}

template CellsOfColumns parse_table_chunk(const TextSource&, const ReadOptions&, const TableLayout&,
                                          const TableChunk&, Dense<float>&, Parts&);
template CellsOfColumns parse_table_chunk(const TextSource&, const ReadOptions&, const TableLayout&,
                                          const TableChunk&, Dense<double>&, Parts&);

}  // namespace mercer
