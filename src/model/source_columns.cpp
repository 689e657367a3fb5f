#include "model/source_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/dates.hpp"

namespace mercer {

std::vector<SourceColumn> source_columns(const Model& model) {
  std::vector<SourceColumn> columns;
  std::size_t begin = 0;
  for (const Schema::Column& column : model.schema.columns) {
    if (column.objects) continue;
    columns.push_back({column.name, begin, column.categories, column.dates != Schema::Dates::none});
    begin += columns.back().count();
  }
  if (begin == model.columns) return columns;
  columns.clear();  // not a table
  const Points& points = model.fitted.expansion.points;
  for (std::size_t j = 0; j < model.columns; ++j)
    columns.push_back({model.map ? fmt::format("column {}", j + 1) : points.name(j), j});
  return columns;
}

std::string value_text(const SourceColumn& column, std::span<const double> row) {
  const auto own = row.subspan(column.begin, column.count());
  if (column.dates) return date_text(own[0]);
  if (column.categories.empty()) return fmt::format("{:.4g}", own[0]);
  const auto largest = std::ranges::max_element(own);
  return *largest > 0.5 ? column.categories[std::size_t(largest - own.begin())] : "none";
}

std::vector<double> unscaled(const Scaling& scaling, std::vector<double> row) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!scaling.scale().empty()) row[j] /= scaling.scale()[j];
    if (!scaling.shift().empty()) row[j] += scaling.shift()[j];
  }
  return row;
}

}  // namespace mercer
