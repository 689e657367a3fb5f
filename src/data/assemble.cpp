#include "data/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/missing.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

/// The rows where nothing is missing.
std::vector<std::size_t> complete_rows(const Parts& parts, const std::string& file) {
  std::vector<char> incomplete = rows_with_missing(parts.storage);
  if (parts.has_target) parts.labels.mark_missing(incomplete);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < incomplete.size(); ++i) {
    if (incomplete[i]) continue;
    if (!parts.weights.empty() && std::isnan(parts.weights[i])) continue;
    kept.push_back(i);
  }
  if (kept.empty() && !incomplete.empty())
    throw Error(ErrorKind::data, fmt::format("{}: every row has a missing value; set missing to mean", file));
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
    j += std::max<std::size_t>(1, column.categories.size());
  }
}

void fill(Parts& parts, const ReadOptions& options, std::vector<double> means, const std::string& file) {
  // New rows are filled as the first ones were.
  if (options.schema)
    for_each_column(options.schema->columns, [&](const Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && j < means.size()) means[j] = column.mean;
    });
  fill_missing(parts.storage, means, [&](std::size_t j) {
    const std::string name = parts.names.empty() ? std::to_string(j + 1) : in_quotes(parts.names[j]);
    throw Error(ErrorKind::data,
                fmt::format("{}: column {} has no values, so no mean; remove the column", file, name));
  });
}

}  // namespace

Dataset assemble(Parts parts, const ReadOptions& options, const std::string& file,
                 const LabelColumn::Refuse& refuse) {
  Dataset data;
  const bool drop = options.missing == Missing::drop;
  const std::vector<std::size_t> kept = drop ? complete_rows(parts, file) : std::vector<std::size_t>{};
  const bool learns_means = !parts.schema.columns.empty() && !options.schema;
  std::vector<double> means;
  if (!drop && (learns_means || options.missing == Missing::mean))
    means = column_means(parts.storage, options.threads);
  if (options.missing == Missing::mean) fill(parts, options, means, file);
  data.points = Points(std::move(parts.storage), std::move(parts.names));
  if (drop && kept.size() < data.points.rows()) {
    data.points = data.points.select_rows(kept);
    if (parts.has_target) parts.labels.keep(kept);
    keep(parts.weights, kept);
    keep(parts.queries, kept);
  }
  if (drop && learns_means) means = column_means(data.points.storage(), options.threads);
  if (parts.has_target) data.target = parts.labels.finish(std::move(parts.target_name), refuse);
  data.weights = std::move(parts.weights);
  data.queries = std::move(parts.queries);
  data.schema = std::move(parts.schema);
  if (learns_means)
    for_each_column(data.schema.columns, [&](Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && !std::isnan(means[j])) column.mean = means[j];
    });
  return data;
}

}  // namespace mercer
