// Comma- and tab-separated tables. The first rows tell what the columns are; the text is cut at records; the
// records of each piece are counted; and every piece is parsed straight into its rows of the final array.
// Categorical columns take one more pass in between, for their categories, and a table that is read
// tolerantly another one before it, for the kinds of its columns.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/byte_message.hpp"
#include "data/decimal.hpp"
#include "data/shared_table.hpp"
#include "data/table_kinds.hpp"
#include "data/table_rows.hpp"
#include "data/density.hpp"

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
  std::ranges::sort(column.categories, label_less);
}

/// The words of each column, of all ranks.
void add_words_of_ranks(const Ranks& ranks, std::vector<Words>& columns) {
  std::string message;
  for (const Words& words : columns) append_texts(message, words);
  for (const std::string& one : ranks.gather(message)) {
    std::string_view rest = one;
    for (Words& words : columns)
      for (std::string& word : take_texts(rest))
        if (words.size() <= most_categories) words.insert(std::move(word));
  }
}

/// Collects the distinct texts of every categorical column without categories, in one pass over the pieces of
/// the body; numbers come first, then texts in the order of their bytes. `with_missing`: missing cells are a
/// category too.
void find_categories(const TextSource& source, const std::vector<std::string_view>& pieces, int threads,
                     bool with_missing, TableLayout& layout, const Ranks* ranks) {
  std::vector<std::size_t> wanted;
  for (std::size_t j = 0; j < layout.columns.size(); ++j)
    if (layout.columns[j].role == Role::categorical && layout.columns[j].categories.empty())
      wanted.push_back(j);
  if (wanted.empty()) return;
  std::vector<std::vector<Words>> found(pieces.size());
  agreed(ranks, [&] {
    parallel_for(pieces.size(), threads, [&](std::size_t i) {
      found[i] = words_of(source, pieces[i], layout.delimiter, layout.columns.size(), wanted, with_missing);
      source.forget(pieces[i]);
    });
  });
  std::vector<Words> all(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    for (std::vector<Words>& words : found)
      if (all[k].size() <= most_categories) all[k].merge(words[k]);
  if (ranks) add_words_of_ranks(*ranks, all);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    set_categories(source, all[k], layout.columns[wanted[k]], layout);
}

/// Gives each column its place among the points and returns how many columns the points have.
std::size_t place_columns(TableLayout& layout, bool placed_by_schema) {
  std::size_t next = 0, objects = 0;
  for (TableColumn& column : layout.columns) {
    if (column.role == Role::object && !placed_by_schema) column.point_column = objects++;
    if (!column.is_numbers()) continue;
    if (!placed_by_schema) column.point_column = next;
    next += column.role == Role::categorical ? column.categories.size() : 1;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      column.category_number.emplace(column.categories[k], k);
  }
  return next;
}

std::vector<TableChunk> count_chunks(const TextSource& source, const TableLayout& layout, int threads,
                                     const std::vector<std::string_view>& pieces) {
  std::vector<TableChunk> chunks(pieces.size());
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    chunks[i] = {pieces[i], i, 0, count_records(pieces[i], layout.columns.size() == 1)};
    source.forget(pieces[i]);
  });
  for (std::size_t i = 1; i < chunks.size(); ++i)
    chunks[i].first_row = chunks[i - 1].first_row + chunks[i - 1].rows;
  return chunks;
}

std::vector<std::string> point_names(const TableLayout& layout, std::size_t cols) {
  std::vector<std::string> names(cols);
  bool any_categories = false;
  for (const TableColumn& column : layout.columns) {
    if (column.role == Role::numeric || column.role == Role::date) names[column.point_column] = column.name;
    if (column.role != Role::categorical) continue;
    any_categories = true;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      names[column.point_column + k] = fmt::format("{}={}", column.name, column.categories[k]);
  }
  if (!layout.has_header && !any_categories) names.clear();
  return names;
}

std::string target_name(const TableLayout& layout) {
  std::string joined;
  for (const TableColumn* column : layout.targets()) joined += (column->output > 0 ? "," : "") + column->name;
  return joined;
}

Schema schema_of(const TableLayout& layout) {
  Schema schema;
  schema.target = target_name(layout);
  for (const TableColumn& column : layout.columns) {
    if (column.role == Role::weights) schema.weights = column.name;
    if (column.role == Role::ignored) schema.left_out.push_back(column.name);
    if (column.is_numbers()) schema.columns.push_back({column.name, column.categories, 0, column.dates});
    if (column.role == Role::object)
      schema.columns.push_back({.name = column.name, .categories = {}, .objects = column.domain});
  }
  return schema;
}

std::vector<Parts::Cells> room_for_objects(const TableLayout& layout, std::size_t rows) {
  std::vector<Parts::Cells> all(
      std::size_t(std::ranges::count(layout.columns, Role::object, &TableColumn::role)));
  for (const TableColumn& column : layout.columns)
    if (column.role == Role::object)
      all[column.point_column] = {column.name, column.domain, std::vector<std::string>(rows)};
  return all;
}

/// What was parsed of a table, or of a rank's pieces of it.
template <class T>
struct Parsed {
  Dense<T> dense;
  Parts parts;
  std::vector<CellsOfColumns> cells;
};

template <class T>
Parsed<T> room_for(const TableLayout& layout, const ReadOptions& options, std::size_t rows, std::size_t cols,
                   std::size_t chunks) {
  Parsed<T> parsed{{rows, cols, Buffer<T>(checked_product(rows, cols))}, {}, {}};
  if (const std::size_t outputs = layout.targets().size(); outputs > 0) {
    parsed.parts.has_target = true;
    parsed.parts.target_name = target_name(layout);
    parsed.parts.labels = LabelColumn(rows, chunks, options, outputs);
  }
  if (layout.find(Role::weights)) parsed.parts.weights.resize(rows);
  parsed.parts.objects = room_for_objects(layout, rows);
  return parsed;
}

template <class T>
std::string message_of(const Parsed<T>& parsed, const char* text) {
  std::string message;
  append_value(message, parsed.dense.rows);
  message.append(reinterpret_cast<const char*>(parsed.dense.values.data()),
                 parsed.dense.values.size() * sizeof(T));
  if (parsed.parts.has_target) parsed.parts.labels.append_to(message, text);
  append_values(message, parsed.parts.weights);
  append_value(message, parsed.cells.size());
  for (const CellsOfColumns& cells : parsed.cells) {
    append_value(message, cells.size());
    for (const auto& [column, counts] : cells) {
      for (const std::size_t number : {column, counts.missing, counts.strange}) append_value(message, number);
      append_text(message, counts.example);
    }
  }
  return message;
}

/// The rows of all ranks, one below the other. Messages are released as they are read.
template <class T>
Parsed<T> joined_of_ranks(std::vector<std::string> messages, const TableLayout& layout,
                          const ReadOptions& options, std::size_t cols, const char* text) {
  std::size_t rows = 0;
  for (const std::string& message : messages) {
    std::string_view start = message;
    rows += take_value<std::size_t>(start);
  }
  Parsed<T> all = room_for<T>(layout, options, rows, cols, messages.size());
  std::size_t row = 0;
  for (std::size_t r = 0; r < messages.size(); ++r) {
    std::string_view rest = messages[r];
    const auto own = take_value<std::size_t>(rest);
    const std::size_t bytes = own * cols * sizeof(T);
    if (bytes > 0) std::memcpy(all.dense.values.data() + row * cols, rest.data(), bytes);
    rest.remove_prefix(bytes);
    if (all.parts.has_target) all.parts.labels.take(rest, r, row, text);
    const std::vector<double> weights = take_values<double>(rest);
    std::ranges::copy(weights, all.parts.weights.begin() + std::ptrdiff_t(weights.empty() ? 0 : row));
    const auto pieces = take_value<std::size_t>(rest);
    for (std::size_t i = 0; i < pieces; ++i) {
      CellsOfColumns& cells = all.cells.emplace_back();
      const auto columns = take_value<std::size_t>(rest);
      for (std::size_t c = 0; c < columns; ++c) {
        CellCounts& counts = cells[take_value<std::size_t>(rest)];
        counts.missing = take_value<std::size_t>(rest);
        counts.strange = take_value<std::size_t>(rest);
        counts.example = take_text(rest);
      }
    }
    row += own;
    messages[r] = {};
  }
  return all;
}

/// `shared`: the ranks that parse the table with this one; null: none. Nothing where they leave it, and on
/// all but the first of them.
template <class T>
std::optional<Reading> read_as(const TextSource& source, const ReadOptions& options, TableLayout layout,
                               const std::vector<std::string_view>& pieces, const SharedTable* shared) {
  const Ranks* const ranks = shared ? &shared->ranks : nullptr;
  if (!options.schema && options.tolerant) choose_kinds(source, pieces, options.threads, layout, ranks);
  if (ranks && layout.find(Role::object)) return {};
  if (!options.schema)
    find_categories(source, pieces, options.threads, options.missing == Missing::automatic, layout, ranks);
  const std::vector<TableChunk> chunks = count_chunks(source, layout, options.threads, pieces);
  const std::size_t rows = chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
  const std::size_t cols = place_columns(layout, options.schema != nullptr);
  if (cols == 0 && !layout.find(Role::object))
    source.refuse(source.text().data(), "there is no column beside the target and the weights", "add one");
  Parsed<T> parsed;
  agreed(ranks, [&] {
    parsed = room_for<T>(layout, options, rows, cols, chunks.size());
    parsed.cells.resize(chunks.size());
    parallel_for(chunks.size(), options.threads, [&](std::size_t i) {
      parsed.cells[i] = parse_table_chunk(source, options, layout, chunks[i], parsed.dense, parsed.parts);
      source.forget(chunks[i].text);
    });
  });
  const char* const text = source.text().data();
  std::vector<std::string> messages;
  if (ranks) messages = ranks->gather_on_first(message_of(parsed, text));
  Reading reading;
  agreed(ranks, [&] {
    if (ranks && !ranks->first()) return;
    if (ranks) parsed = joined_of_ranks<T>(std::move(messages), layout, options, cols, text);
    Parts& parts = parsed.parts;
    parts.storage = std::move(parsed.dense);
    parts.notes = std::move(layout.notes);
    for (std::string& note : cell_notes(parsed.cells, layout, options.missing == Missing::automatic))
      parts.notes.push_back(std::move(note));
    parts.names = point_names(layout, cols);
    parts.schema = options.schema ? *options.schema : schema_of(layout);
    reading =
        assemble(std::move(parts), options, source.name(), shared && !shared->one_text ? nullptr : &source);
  });
  return reading;
}

template <class... Arguments>
std::optional<Reading> read_in_precision(Precision precision, Arguments&&... arguments) {
  return precision == Precision::float32 ? read_as<float>(std::forward<Arguments>(arguments)...)
                                         : read_as<double>(std::forward<Arguments>(arguments)...);
}

}  // namespace

Reading read_table(const TextSource& source, const ReadOptions& options, char delimiter,
                   std::size_t chunk_bytes) {
  TableLayout layout = lay_out(source, options, delimiter);
  const std::vector<std::string_view> pieces =
      cut_at_records(source, layout.body, chunk_bytes, options.threads);
  return *read_in_precision(options.precision, source, options, std::move(layout), pieces, nullptr);
}

std::optional<Reading> read_shared_table(const TextSource& source, const ReadOptions& options,
                                         TableLayout layout, const SharedTable& shared) {
  return read_in_precision(options.precision, source, options, std::move(layout), shared.pieces, &shared);
}

std::vector<std::string_view> pieces_of_rank(const TextSource& source, std::string_view body,
                                             const Ranks& ranks, int threads) {
  const std::size_t even = body.size() / (4 * std::size_t(ranks.size())) + 1;
  const std::vector<std::string_view> all =
      cut_at_records(source, body, std::min(default_chunk_bytes, even), threads);
  const std::vector<std::size_t> begins = ranks.shares(all.size());
  const auto own = std::size_t(ranks.rank());
  return {all.begin() + std::ptrdiff_t(begins[own]), all.begin() + std::ptrdiff_t(begins[own + 1])};
}

}  // namespace mercer
