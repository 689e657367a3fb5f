// Comma- and tab-separated tables. The first rows tell what the columns are; the text is cut at records; the
// records of each piece are counted; and every piece is parsed straight into its rows of the final array.
// Categorical columns take one more pass in between, for their categories, and a table that is read
// tolerantly another one before it, for the kinds of its columns.
#include <fmt/format.h>

#include <algorithm>

#include "data/readers.hpp"
#include "data/table_categories.hpp"
#include "data/table_kinds.hpp"
#include "data/table_rows.hpp"
#include "data/validate.hpp"

namespace mercer {

namespace {

using Role = TableColumn::Role;

std::vector<TableChunk> count_chunks(const TextSource& source, const TableLayout& layout, int threads,
                                     const std::vector<std::string_view>& pieces) {
  std::vector<TableChunk> chunks(pieces.size());
  for_each_chunk(pieces.size(), threads, [&](std::size_t i) {
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
    if (column.role == Role::numeric || column.role == Role::date || column.role == Role::categorical)
      schema.columns.push_back({column.name, column.categories, 0, column.dates});
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

template <class T>
Dataset read_as(const TextSource& source, const ReadOptions& options, TableLayout layout,
                std::size_t chunk_bytes) {
  const std::vector<std::string_view> pieces =
      cut_at_records(source, layout.body, chunk_bytes, options.threads);
  if (!options.schema && options.tolerant) choose_kinds(source, pieces, options.threads, layout);
  if (!options.schema)
    find_categories(source, pieces, options.threads, options.missing == Missing::automatic, layout);
  const std::vector<TableChunk> chunks = count_chunks(source, layout, options.threads, pieces);
  const std::size_t rows = chunks.back().first_row + chunks.back().rows;
  const std::size_t cols = place_columns(layout, options.schema != nullptr);
  if (cols == 0 && !layout.find(Role::object))
    source.refuse(source.text().data(), "there is no column beside the target and the weights", "add one");
  Dense<T> dense{rows, cols, Buffer<T>(checked_product(rows, cols))};
  Parts parts;
  if (const std::size_t outputs = layout.targets().size(); outputs > 0) {
    parts.has_target = true;
    parts.target_name = target_name(layout);
    parts.labels = LabelColumn(rows, chunks.size(), options, outputs);
  }
  if (layout.find(Role::weights)) parts.weights.resize(rows);
  parts.objects = room_for_objects(layout, rows);
  CellNotes cells;
  for_each_chunk(chunks.size(), options.threads, [&](std::size_t i) {
    parse_table_chunk(source, options, layout, chunks[i], dense, parts, cells);
    source.forget(chunks[i].text);
  });
  parts.storage = std::move(dense);
  parts.notes = std::move(layout.notes);
  for (std::string& note : cells.sentences(layout, options.missing == Missing::automatic))
    parts.notes.push_back(std::move(note));
  parts.names = point_names(layout, cols);
  parts.schema = options.schema ? *options.schema : schema_of(layout);
  return assemble(std::move(parts), options, source.name(),
                  [&](const char* at, const std::string& what) { source.refuse(at, what); });
}

}  // namespace

Dataset read_table(const TextSource& source, const ReadOptions& options, char delimiter,
                   std::size_t chunk_bytes) {
  TableLayout layout = lay_out(source, options, delimiter);
  return options.precision == Precision::float32
             ? read_as<float>(source, options, std::move(layout), chunk_bytes)
             : read_as<double>(source, options, std::move(layout), chunk_bytes);
}

}  // namespace mercer
