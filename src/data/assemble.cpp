#include "data/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "data/density.hpp"
#include "data/missing.hpp"

namespace mercer {

namespace {

/// What a row cannot do without, for a message.
const char* needed_by(const Parts& parts) noexcept {
  return parts.weights.empty() ? "target" : parts.has_target ? "target or weight" : "weight";
}

/// The rows where nothing is missing, or with Missing::automatic the rows that have a target and a weight.
/// Nothing where these are all.
std::vector<std::size_t> rows_kept(const Parts& parts, Missing missing, const std::string& file) {
  if (missing != Missing::drop && missing != Missing::automatic) return {};
  const std::size_t rows = std::visit([](const auto& held) { return held.rows; }, parts.storage);
  std::vector<char> incomplete =
      missing == Missing::drop ? rows_with_missing(parts.storage) : std::vector<char>(rows);
  if (parts.has_target) parts.labels.mark_missing(incomplete);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows; ++i)
    if (!incomplete[i] && (parts.weights.empty() || !std::isnan(parts.weights[i]))) kept.push_back(i);
  if (kept.size() == rows) return {};
  if (kept.empty() && missing == Missing::drop)
    throw Error(ErrorCode::invalid_file, "every row has a missing value",
                {.file = file, .hints = {{Remedy::treat_missing, "mean"}}});
  if (kept.empty()) refuse_file(file, fmt::format("every row lacks a {}", needed_by(parts)), "fill it in");
  return kept;
}

template <class T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = values[rows[i]];
  values.resize(rows.size());
}

/// Visits each column of the schema with the first point column it became.
template <class Columns, class Visit>
void for_each_column(Columns& columns, Visit visit) {
  std::size_t j = 0;
  for (auto& column : columns) {
    visit(column, j);
    j += column.width();
  }
}

void fill(Parts& parts, const ReadOptions& options, std::vector<double> means, const std::string& file) {
  // New rows are filled as the first ones were.
  if (options.schema)
    for_each_column(options.schema->columns, [&](const Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && !column.objects && j < means.size()) means[j] = column.mean;
    });
  fill_missing(parts.storage, means, [&](std::size_t j) {
    const std::string name = parts.names.empty() ? std::to_string(j + 1) : in_quotes(parts.names[j]);
    refuse_file(file, fmt::format("column {} has no values, so no mean", name), "remove the column");
  });
}

}  // namespace

Reading assemble(Parts parts, const ReadOptions& options, const std::string& file, const TextSource* source) {
  Reading data;
  const bool drop = options.missing == Missing::drop;
  const bool fills = options.missing == Missing::mean || options.missing == Missing::automatic;
  const std::vector<std::size_t> kept = rows_kept(parts, options.missing, file);
  const bool learns_means = !parts.schema.columns.empty() && !options.schema;
  std::vector<double> means;
  if (fills || (learns_means && !drop)) means = column_means(parts.storage, options.threads);
  if (fills) fill(parts, options, means, file);
  data.points = Points(dense_where_mostly_non_zero(std::move(parts.storage)), std::move(parts.names));
  std::vector<Objects> objects;
  for (const Parts::Cells& cells : parts.objects) objects.emplace_back(cells.name, cells.domain, cells.texts);
  if (!objects.empty()) data.points = data.points.with_objects(std::move(objects));
  data.notes = std::move(parts.notes);
  if (!kept.empty()) {
    if (!drop) {
      const std::size_t rows = data.points.rows(), lost = rows - kept.size();
      data.notes.push_back(fmt::format("dropped {} of {} rows: no {}", lost, rows, needed_by(parts)));
    }
    std::ranges::set_difference(std::views::iota(std::size_t(0), data.rows()), kept,
                                std::back_inserter(data.left_out));
    data.points = data.points.select_rows(kept);
    if (parts.has_target) parts.labels.keep(kept);
    keep(parts.weights, kept);
    keep(parts.queries, kept);
  }
  if (drop && learns_means) means = column_means(data.points.storage(), options.threads);
  if (parts.has_target) data.target = parts.labels.finish(std::move(parts.target_name), file, source);
  data.weights = std::move(parts.weights);
  data.queries = std::move(parts.queries);
  data.schema = std::move(parts.schema);
  if (learns_means)
    for_each_column(data.schema.columns, [&](Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && !column.objects && !std::isnan(means[j])) column.mean = means[j];
    });
  return data;
}

}  // namespace mercer
