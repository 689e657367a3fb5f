#include "data/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "data/table_sample.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

using Role = TableColumn::Role;

std::vector<std::string> names_of(const TableLayout& layout) {
  std::vector<std::string> names;
  for (const TableColumn& column : layout.columns) names.push_back(column.name);
  return names;
}

std::size_t index_of(const TableLayout& layout, std::string_view name) noexcept {
  const auto found = std::find_if(layout.columns.begin(), layout.columns.end(),
                                  [&](const TableColumn& column) { return column.name == name; });
  return std::size_t(found - layout.columns.begin());
}

/// The column a caller means: by name, else by number from 1, or from −1 backwards.
std::size_t chosen_column(const TextSource& source, const TableLayout& layout, const std::string& choice,
                          const char* what) {
  const std::size_t named = index_of(layout, choice), count = layout.columns.size();
  if (named < count) return named;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), number);
  const bool is_number = error == std::errc{} && end == choice.data() + choice.size();
  if (is_number && number >= 1 && std::size_t(number) <= count) return std::size_t(number) - 1;
  if (is_number && number <= -1 && number >= -std::int64_t(count)) return count - std::size_t(-number);
  const std::vector<std::string> names = names_of(layout);
  const std::string near = is_number ? "" : nearest_word(choice, names);
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: there is no column {} for the {}; {}the columns are {}", source.name(),
                  in_quotes(choice), what,
                  near.empty() ? "" : fmt::format("did you mean {}? ", in_quotes(near)), listed(names)));
}

/// The column named target; else label, class or y, in any case. None where two have the name: it may be either.
std::size_t customary_target(const TableLayout& layout) {
  const std::size_t none = layout.columns.size();
  if (!layout.has_header) return none;
  for (const std::string_view customary : {"target", "label", "class", "y"}) {
    const auto is_named = [&](const auto& column) {
      return std::ranges::equal(column.name, customary, {}, [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
    };
    const auto found = std::ranges::find_if(layout.columns, is_named);
    if (found == layout.columns.end()) continue;
    return std::any_of(found + 1, layout.columns.end(), is_named) ? none : std::size_t(found - layout.columns.begin());
  }
  return none;
}

/// The columns of a target of several, in the order given.
std::vector<std::size_t> chosen_targets(const TextSource& source, const ReadOptions& options, const TableLayout& layout) {
  const auto refuse = [&](const std::string& what) { throw Error(ErrorKind::usage, fmt::format("{}: {}", source.name(), what)); };
  if (index_of(layout, options.target) < layout.columns.size() || options.target.find(',') == std::string::npos)
    return {chosen_column(source, layout, options.target, "target")};
  std::vector<std::size_t> chosen;
  for (const std::string& choice : split_at_commas(options.target)) {
    const std::size_t column = chosen_column(source, layout, choice, "target");
    const std::string& name = layout.columns[column].name;
    if (std::ranges::find(chosen, column) != chosen.end())
      refuse(fmt::format("column {} is named twice for the target; name it once", in_quotes(name)));
    if (name.find(',') != std::string::npos)
      refuse(fmt::format("column {} has a comma in its name, so it cannot be one of several targets; rename it", in_quotes(name)));
    chosen.push_back(column);
  }
  if (options.task == Target::Kind::classes)
    refuse(fmt::format("a target of {} columns is one of numbers, not of classes; name one column, or set the task to real",
                       chosen.size()));
  return chosen;
}

/// The columns that a schema names as its target; none where one of them is not there.
std::vector<std::size_t> targets_in_schema(const Schema& schema, const TableLayout& layout) {
  if (schema.target.empty()) return {};
  if (const std::size_t whole = index_of(layout, schema.target); whole < layout.columns.size()) return {whole};
  std::vector<std::size_t> found;
  for (const std::string& name : split_at_commas(schema.target)) found.push_back(index_of(layout, name));
  if (std::ranges::find(found, layout.columns.size()) != found.end()) found.clear();
  return found;
}

bool is_target_of(const Schema& schema, const std::string& name) {
  return name == schema.target || std::ranges::count(split_at_commas(schema.target), name) > 0;
}

void choose_target_and_weights(const TextSource& source, const ReadOptions& options, TableLayout& layout) {
  const std::size_t none = layout.columns.size();
  std::size_t weights = none;
  std::vector<std::size_t> targets;
  // Without a header, a table of just as many columns as were learned from has no target among them.
  const bool features_only = options.schema && !layout.has_header && options.schema->columns.size() == none;
  if (!options.target.empty() && options.target != "none") {
    targets = chosen_targets(source, options, layout);
  } else if (options.target.empty() && options.schema) {
    if (!features_only) targets = targets_in_schema(*options.schema, layout);
  } else if (const std::size_t customary = customary_target(layout); options.target.empty() && customary != none) {
    targets = {customary};
  }
  if (!options.weights.empty() && options.weights != "none")
    weights = chosen_column(source, layout, options.weights, "weights");
  if (options.weights.empty() && options.schema && !features_only && !options.schema->weights.empty())
    weights = index_of(layout, options.schema->weights);
  if (std::ranges::find(targets, weights) != targets.end())
    throw Error(ErrorKind::usage, fmt::format("{}: column {} cannot be both the target and the weights",
                                              source.name(), in_quotes(layout.columns[weights].name)));
  for (std::size_t output = 0; output < targets.size(); ++output) {
    layout.columns[targets[output]].role = Role::target;
    layout.columns[targets[output]].output = output;
  }
  if (weights != none) layout.columns[weights].role = Role::weights;
}

void name_columns(const TextSource& source, const TableSample& sample, TableLayout& layout) {
  std::string scratch;
  for (std::size_t j = 0; j < sample.first_row.size(); ++j) {
    TableColumn& column = layout.columns.emplace_back();
    column.at = sample.first_row[j].text.data();
    if (sample.has_header) column.name = sample.first_row[j].unescape(scratch);
    if (column.name.empty()) column.name = fmt::format("column {}", j + 1);
    if (index_of(layout, column.name) < j)
      source.refuse(column.at, fmt::format("a second column is called {}; give it another name",
                                           in_quotes(column.name)));
  }
}

/// Numeric or categorical, for the columns that are neither target nor weights.
void choose_kind(const TextSource& source, const SampleColumn& sample, TableColumn& column) {
  if (sample.texts == 0) return;
  if (sample.numbers > sample.texts)
    source.refuse(
        sample.first_text.text.data(),
        fmt::format("{} is not a number, though most of column {} are; write a number, or leave the cell "
                    "empty if it is missing",
                    in_quotes(sample.first_text.text), in_quotes(column.name)));
  column.role = Role::categorical;
}

/// Gives each column of the table its place in the schema.
void match_schema(const TextSource& source, const Schema& schema, TableLayout& layout) {
  const std::size_t count = layout.columns.size();
  std::vector<std::size_t> first_point(schema.columns.size());
  std::size_t points = 0;
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    first_point[k] = points;
    points += std::max<std::size_t>(1, schema.columns[k].categories.size());
  }
  const auto is_feature = [](const TableColumn& column) { return column.role == Role::numeric; };
  // Without a header the names are the columns' numbers; a table without the target has the rest in order.
  const bool by_order = !layout.has_header && schema.columns.size() == count &&
                        std::all_of(layout.columns.begin(), layout.columns.end(), is_feature) &&
                        schema.columns.front().name.starts_with("column ");
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    const Schema::Column& wanted = schema.columns[k];
    const std::size_t j = by_order ? k : index_of(layout, wanted.name);
    if (j == count || !is_feature(layout.columns[j]))
      source.refuse(source.text().data(), fmt::format("there is no column {}; the columns are {}",
                                                      in_quotes(wanted.name), listed(names_of(layout))));
    TableColumn& column = layout.columns[j];
    column.name = wanted.name;
    column.role = wanted.categories.empty() ? Role::numeric : Role::categorical;
    column.categories = wanted.categories;
    column.point_column = first_point[k];
  }
  for (TableColumn& column : layout.columns) {
    const auto known = [&](const Schema::Column& wanted) { return wanted.name == column.name; };
    if (!is_feature(column) || std::any_of(schema.columns.begin(), schema.columns.end(), known)) continue;
    if (!is_target_of(schema, column.name) && column.name != schema.weights)
      source.refuse(column.at, fmt::format("column {} is not one of those learned from; remove it",
                                           in_quotes(column.name)));
    column.role = Role::ignored;
  }
}

std::vector<std::string> known_names(const ReadOptions& options) {
  std::vector<std::string> names;
  if (options.schema)
    for (const Schema::Column& column : options.schema->columns) names.push_back(column.name);
  // A number may be a name, but is more likely the column's number.
  std::vector<std::string> given = split_at_commas(options.target);
  given.insert(given.end(), {options.target, options.weights});
  for (const std::string& name : given)
    if (!name.empty() && name != "none" && name.find_first_not_of("-0123456789") != name.npos)
      names.push_back(name);
  return names;
}

}  // namespace

const TableColumn* TableLayout::find(Role role) const noexcept {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const TableColumn& column) { return column.role == role; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<const TableColumn*> TableLayout::targets() const {
  std::vector<const TableColumn*> found;
  for (const TableColumn& column : columns)
    if (column.role == Role::target) found.push_back(&column);
  std::ranges::sort(found, {}, &TableColumn::output);
  return found;
}

TableLayout lay_out(const TextSource& source, const ReadOptions& options, char delimiter) {
  const TableSample sample = take_sample(source, delimiter, known_names(options));
  TableLayout layout;
  layout.delimiter = delimiter;
  layout.has_header = sample.has_header;
  layout.body = source.text().substr(std::size_t(sample.body - source.text().data()));
  if (layout.body.empty())
    source.refuse(source.text().data(), "the table has a header and no rows; rows of data are needed");
  name_columns(source, sample, layout);
  choose_target_and_weights(source, options, layout);
  if (options.schema) {
    match_schema(source, *options.schema, layout);
    return layout;
  }
  for (std::size_t j = 0; j < layout.columns.size(); ++j)
    if (layout.columns[j].role == Role::numeric) choose_kind(source, sample.columns[j], layout.columns[j]);
  return layout;
}

}  // namespace mercer
