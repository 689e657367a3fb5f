#include "data/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace mercer {

namespace {

using Role = TableColumn::Role;

bool is_feature(const TableColumn& column) noexcept { return column.role == Role::numeric; }

bool is_target_of(const Schema& schema, const std::string& name) {
  return name == schema.target || std::ranges::count(split_at_commas(schema.target), name) > 0;
}

/// The number n of a name "column n", as columns without a header are called; 0 for any other name.
std::size_t number_in(std::string_view name) noexcept {
  constexpr std::string_view word = "column ";
  std::size_t number = 0;
  if (!name.starts_with(word)) return 0;
  const auto [end, error] = std::from_chars(name.data() + word.size(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

/// The columns of a table without a header, learned from or left out, in the order of their numbers; none
/// where one has a name.
std::vector<std::string> names_by_place(const Schema& schema) {
  std::vector<std::string> names = schema.left_out;
  for (const Schema::Column& column : schema.columns) names.push_back(column.name);
  if (!std::ranges::all_of(names, [](const std::string& name) { return number_in(name) > 0; })) return {};
  std::ranges::sort(names, {}, [](const std::string& name) { return number_in(name); });
  return names;
}

/// A table without a header and without the target has the rest in order: its columns get the names they had.
void rename_by_place(const Schema& schema, TableLayout& layout) {
  const std::vector<std::string> names = names_by_place(schema);
  if (layout.has_header || names.size() != layout.columns.size() ||
      !std::ranges::all_of(layout.columns, is_feature))
    return;
  layout.number_of.clear();
  for (std::size_t j = 0; j < names.size(); ++j) {
    layout.columns[j].name = names[j];
    layout.number_of.emplace(names[j], j);
  }
}

/// Columns that no column of the schema took.
void ignore_others(const TextSource& source, const Schema& schema, bool tolerant,
                   const std::vector<char>& taken, TableLayout& layout) {
  std::vector<std::string> unknown;
  const std::unordered_set<std::string_view> left_out(schema.left_out.begin(), schema.left_out.end());
  for (std::size_t j = 0; j < taken.size(); ++j) {
    TableColumn& column = layout.columns[j];
    if (taken[j] || !is_feature(column)) continue;
    column.role = Role::ignored;
    if (is_target_of(schema, column.name) || column.name == schema.weights || left_out.contains(column.name))
      continue;
    if (!tolerant)
      source.refuse(column.at,
                    fmt::format("column {} is not one of those learned from", in_quotes(column.name)),
                    "remove it");
    unknown.push_back(column.name);
  }
  if (unknown.empty()) return;
  layout.notes.push_back(columns_are(unknown) + " ignored: not among those learned from");
}

}  // namespace

std::string columns_are(const std::vector<std::string>& names, const char* one, const char* several) {
  return fmt::format("{} {} {}", names.size() == 1 ? "column" : "columns", listed(names),
                     names.size() == 1 ? one : several);
}

std::vector<std::size_t> targets_in_schema(const Schema& schema, const TableLayout& layout) {
  if (schema.target.empty()) return {};
  if (const std::size_t whole = layout.index_of(schema.target); whole < layout.columns.size()) return {whole};
  std::vector<std::size_t> found;
  for (const std::string& name : split_at_commas(schema.target)) found.push_back(layout.index_of(name));
  if (std::ranges::find(found, layout.columns.size()) != found.end()) found.clear();
  return found;
}

bool has_features_only(const Schema& schema, const TableLayout& layout) {
  return !layout.has_header && schema.columns.size() + schema.left_out.size() == layout.columns.size();
}

void match_schema(const TextSource& source, const Schema& schema, bool tolerant, TableLayout& layout) {
  rename_by_place(schema, layout);
  std::vector<char> taken(layout.columns.size());
  std::vector<std::string> missing;
  std::size_t points = 0, objects = 0;
  for (const Schema::Column& wanted : schema.columns) {
    const std::size_t j = layout.index_of(wanted.name);
    const std::size_t first_point = wanted.objects ? objects++ : points;
    points += wanted.width();
    if (j == layout.columns.size() || !is_feature(layout.columns[j])) {
      missing.push_back(wanted.name);
      continue;
    }
    taken[j] = 1;
    TableColumn& column = layout.columns[j];
    column.categories = wanted.categories;
    column.dates = wanted.dates;
    column.point_column = first_point;
    column.domain = wanted.objects.value_or(Domain::text);
    if (wanted.objects) column.role = Role::object;
  }
  if (!missing.empty())
    source.refuse(source.text().data(),
                  fmt::format("there {} {}", missing.size() == 1 ? "is no column" : "are no columns",
                              listed(missing, 50)),
                  fmt::format("the columns are {}", listed(layout.names())));
  ignore_others(source, schema, tolerant, taken, layout);
  for (TableColumn& column : layout.columns) {
    if (!is_feature(column)) continue;
    if (!column.categories.empty())
      column.role = Role::categorical;
    else if (column.dates != Schema::Dates::none)
      column.role = Role::date;
  }
}

}  // namespace mercer
