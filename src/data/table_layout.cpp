#include "data/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "data/decimal.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_looked_at = 1000;

bool is_text(const Field& field) noexcept { return read_number(field.text).kind == Number::Kind::text; }

void add_cell(SampleColumn& column, const Field& field) {
  const Number::Kind kind = read_number(field.text).kind;
  if (kind == Number::Kind::missing) return;
  if (kind != Number::Kind::text)
    ++column.numbers;
  else if (column.texts++ == 0)
    column.first_text = field;
}

bool all_quoted(const std::vector<Field>& row) noexcept { return std::ranges::all_of(row, &Field::quoted); }

using Role = TableColumn::Role;

/// The column a caller means: by name, else by number from 1, or from −1 backwards.
std::size_t chosen_column(const TextSource& source, const TableLayout& layout, const std::string& choice,
                          const char* what) {
  const std::size_t named = layout.index_of(choice), count = layout.columns.size();
  if (named < count) return named;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), number);
  const bool is_number = error == std::errc{} && end == choice.data() + choice.size();
  if (is_number && number >= 1 && std::size_t(number) <= count) return std::size_t(number) - 1;
  if (is_number && number <= -1 && number >= -std::int64_t(count)) return count - std::size_t(-number);
  const std::vector<std::string> names = layout.names();
  const std::string near = is_number ? "" : nearest_word(choice, names);
  refuse_file(
      source.name(), fmt::format("there is no column {} {}", in_quotes(choice), what),
      fmt::format("{}the columns are {}",
                  near.empty() ? "" : fmt::format("did you mean {}? ", in_quotes(near)), listed(names)),
      ErrorCode::invalid_argument);
}

/// The column named target; else label, class or y, in any case. None where two have the name: it may be
/// either.
std::size_t customary_target(const TableLayout& layout) {
  const std::size_t none = layout.columns.size();
  if (!layout.has_header) return none;
  for (const std::string_view customary : {"target", "label", "class", "y"}) {
    const auto is_named = [&](const TableColumn& column) { return lower_case(column.name) == customary; };
    const auto found = std::ranges::find_if(layout.columns, is_named);
    if (found == layout.columns.end()) continue;
    return std::any_of(found + 1, layout.columns.end(), is_named)
               ? none
               : std::size_t(found - layout.columns.begin());
  }
  return none;
}

/// The columns of a target of several, in the order given.
std::vector<std::size_t> chosen_targets(const TextSource& source, const ReadOptions& options,
                                        const TableLayout& layout) {
  const auto refuse = [&](const std::string& what) {
    refuse_file(source.name(), what, {}, ErrorCode::invalid_argument);
  };
  if (layout.index_of(options.target) < layout.columns.size() ||
      options.target.find(',') == std::string::npos)
    return {chosen_column(source, layout, options.target, "for the target")};
  std::vector<std::size_t> chosen;
  for (const std::string& choice : split_at_commas(options.target)) {
    const std::size_t column = chosen_column(source, layout, choice, "for the target");
    const std::string& name = layout.columns[column].name;
    if (std::ranges::find(chosen, column) != chosen.end())
      refuse(fmt::format("column {} is named twice for the target; name it once", in_quotes(name)));
    if (name.find(',') != std::string::npos)
      refuse(
          fmt::format("column {} has a comma in its name, so it cannot be one of several targets; rename it",
                      in_quotes(name)));
    chosen.push_back(column);
  }
  if (options.task == Task::classification)
    refuse(fmt::format(
        "a target of {} columns is one of numbers, not of classes; name one column, or set the task to real",
        chosen.size()));
  return chosen;
}

void choose_target_and_weights(const TextSource& source, const ReadOptions& options, TableLayout& layout) {
  const std::size_t none = layout.columns.size();
  std::size_t weights = none;
  std::vector<std::size_t> targets;
  const bool features_only = options.schema && has_features_only(*options.schema, layout);
  if (!options.target.empty() && options.target != "none") {
    targets = chosen_targets(source, options, layout);
  } else if (options.target.empty() && options.schema) {
    if (!features_only) targets = targets_in_schema(*options.schema, layout);
  } else if (const std::size_t customary = customary_target(layout);
             options.target.empty() && customary != none) {
    targets = {customary};
  }
  if (!options.weights.empty() && options.weights != "none")
    weights = chosen_column(source, layout, options.weights, "for the weights");
  if (options.weights.empty() && options.schema && !features_only && !options.schema->weights.empty())
    weights = layout.index_of(options.schema->weights);
  if (std::ranges::find(targets, weights) != targets.end())
    refuse_file(source.name(),
                fmt::format("column {} cannot be both the target and the weights",
                            in_quotes(layout.columns[weights].name)),
                {}, ErrorCode::unsupported);
  for (std::size_t output = 0; output < targets.size(); ++output) {
    layout.columns[targets[output]].role = Role::target;
    layout.columns[targets[output]].output = output;
  }
  if (weights != none) layout.columns[weights].role = Role::weights;
}

/// Columns that are to be left out, or learned from whatever they look like.
void choose_drop_and_keep(const TextSource& source, const ReadOptions& options, TableLayout& layout) {
  for (const std::string& choice : options.drop) {
    TableColumn& column = layout.columns[chosen_column(source, layout, choice, "to leave out")];
    if (column.role == Role::target || column.role == Role::weights)
      refuse_file(source.name(),
                  fmt::format("column {} is the {}, so it cannot be dropped", in_quotes(column.name),
                              column.role == Role::target ? "target" : "column of weights"),
                  "name another", ErrorCode::unsupported);
    column.role = Role::ignored;
  }
  for (const std::string& choice : options.keep) {
    TableColumn& column = layout.columns[chosen_column(source, layout, choice, "to keep")];
    if (column.role == Role::ignored)
      refuse_file(source.name(),
                  fmt::format("column {} cannot be both kept and dropped", in_quotes(column.name)), {},
                  ErrorCode::unsupported);
    column.keep = true;
  }
}

/// The one column that an unnamed choice of objects can mean: the only one of texts.
std::size_t text_column(const TextSource& source, const TableSample& sample, const TableLayout& layout,
                        Domain domain) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < layout.columns.size(); ++j)
    if (layout.columns[j].role == Role::numeric && sample.columns[j].texts > 0)
      names.push_back(layout.columns[j].name);
  if (names.size() == 1) return layout.index_of(names.front());
  refuse_file(
      source.name(),
      fmt::format("the kernel compares {}, {}", plural_of(domain),
                  names.empty()
                      ? std::string("but no column holds texts")
                      : fmt::format("which may be in {}; name the column behind the kernel: kernel@{}",
                                    listed(names), names.front())),
      {}, ErrorCode::invalid_argument);
}

/// Columns that stay objects.
void choose_objects(const TextSource& source, const ReadOptions& options, const TableSample& sample,
                    TableLayout& layout) {
  for (const ReadOptions::Kept& kept : options.objects) {
    const std::size_t j = kept.column.empty() ? text_column(source, sample, layout, kept.domain)
                                              : chosen_column(source, layout, kept.column, "of objects");
    TableColumn& column = layout.columns[j];
    if (column.role == Role::object && column.domain == kept.domain) continue;
    if (column.role == Role::target || column.role == Role::weights)
      refuse_file(source.name(),
                  fmt::format("column {} is the {}", in_quotes(column.name),
                              column.role == Role::target ? "target" : "column of weights"),
                  "name another one for the kernel", ErrorCode::invalid_argument);
    column.role = Role::object;
    column.domain = kept.domain;
  }
}

/// A second column of a name is refused, or where the table is read tolerantly called "name.2".
void name_columns(const TextSource& source, const TableSample& sample, bool tolerant, TableLayout& layout) {
  std::string scratch;
  std::unordered_map<std::string, int> times;  // that a name was met again
  std::vector<std::string> renamed;
  for (std::size_t j = 0; j < sample.first_row.size(); ++j) {
    TableColumn& column = layout.columns.emplace_back();
    column.at = sample.first_row[j].text.data();
    if (sample.has_header) column.name = sample.first_row[j].unescape(scratch);
    if (column.name.empty()) column.name = fmt::format("column {}", j + 1);
    if (layout.number_of.try_emplace(column.name, j).second) continue;
    if (!tolerant)
      source.refuse(column.at, fmt::format("a second column is called {}", in_quotes(column.name)),
                    "give it another name");
    const std::string name = column.name;
    while (!layout.number_of.try_emplace(column.name, j).second)
      column.name = fmt::format("{}.{}", name, 1 + ++times[name]);
    renamed.push_back(column.name);
  }
  if (!renamed.empty())
    layout.notes.push_back(columns_are(renamed) + " called so here: another has the name already");
}

/// Numeric or categorical, for the columns that are neither target nor weights.
void choose_kind(const TextSource& source, const SampleColumn& sample, TableColumn& column) {
  if (sample.texts == 0) return;
  if (sample.numbers > sample.texts)
    source.refuse(sample.first_text.text.data(),
                  fmt::format("{} is not a number, though most of column {} are",
                              in_quotes(sample.first_text.text), in_quotes(column.name)),
                  "write a number, or leave the cell empty if it is missing");
  column.role = Role::categorical;
}

std::vector<std::string> known_names(const ReadOptions& options) {
  std::vector<std::string> names;
  if (options.schema) {
    names = options.schema->left_out;
    for (const Schema::Column& column : options.schema->columns) names.push_back(column.name);
  }
  // A number may be a name, but is more likely the column's number.
  std::vector<std::string> given = split_at_commas(options.target);
  given.insert(given.end(), {options.target, options.weights});
  given.insert(given.end(), options.drop.begin(), options.drop.end());
  given.insert(given.end(), options.keep.begin(), options.keep.end());
  for (const ReadOptions::Kept& kept : options.objects) given.push_back(kept.column);
  for (const std::string& name : given)
    if (!name.empty() && name != "none" && name.find_first_not_of("-0123456789") != name.npos)
      names.push_back(name);
  return names;
}

}  // namespace

TableSample take_sample(const TextSource& source, char delimiter,
                        const std::vector<std::string>& known_names) {
  TableSample sample;
  const std::vector<Field>& first = sample.first_row;
  const char* second = nullptr;  // where the second row starts
  bool second_unquoted = false;
  bool recurs = false;  // the text of a cell of the first row stands again below it
  // Of the later rows only what they tell is kept: a wide table has many cells.
  const auto add = [&](const std::vector<Field>& row, std::size_t number) {
    if (number == 0) {
      sample.first_row = row;
      sample.columns.resize(row.size());
      return;
    }
    if (number == 1) second_unquoted = !all_quoted(row);
    for (std::size_t j = 0; j < std::min(row.size(), first.size()); ++j) {
      add_cell(sample.columns[j], row[j]);
      recurs |= row[j].text == first[j].text;
    }
  };
  std::vector<Field> row;
  const char* p = source.text().data();
  const char* const last = p + source.text().size();
  for (std::size_t rows = 0; p != last && rows <= rows_looked_at;) {
    if (is_blank_line(p, last)) {
      // In a table of one column a blank line is a missing cell; in front of the first row it is nothing.
      if (rows > 0 && first.size() == 1) add({Field{std::string_view(p, p)}}, rows++);
      p = skip_blank_line(p, last);
      continue;
    }
    p = scan_record(source, p, last, delimiter, row);
    add(row, rows++);
    if (rows == 1) second = p;
  }
  const std::unordered_set<std::string_view> known(known_names.begin(), known_names.end());
  sample.has_header =
      (second_unquoted && all_quoted(first)) || (std::ranges::all_of(first, is_text) && !recurs);
  for (std::size_t j = 0; j < first.size(); ++j) {
    const SampleColumn& below = sample.columns[j];
    sample.has_header |=
        (is_text(first[j]) && below.numbers > 0 && below.texts == 0) || known.contains(first[j].text);
  }
  sample.body = sample.has_header ? second : source.text().data();
  if (!sample.has_header)
    for (std::size_t j = 0; j < first.size(); ++j) add_cell(sample.columns[j], first[j]);
  return sample;
}

std::size_t TableLayout::index_of(const std::string& name) const {
  const auto found = number_of.find(name);
  return found == number_of.end() ? columns.size() : found->second;
}

std::vector<std::string> TableLayout::names() const {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  return names;
}

const TableColumn* TableLayout::find(Role role) const noexcept {
  const auto found = std::ranges::find(columns, role, &TableColumn::role);
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
  layout.tolerant = options.tolerant;
  layout.find_objects = options.find_objects;
  layout.body = source.text().substr(std::size_t(sample.body - source.text().data()));
  if (layout.body.empty())
    source.refuse(source.text().data(), "the table has a header and no rows", "rows of data are needed");
  name_columns(source, sample, options.tolerant, layout);
  choose_target_and_weights(source, options, layout);
  if (options.schema) {
    match_schema(source, *options.schema, options.tolerant, layout);
    return layout;
  }
  choose_drop_and_keep(source, options, layout);
  choose_objects(source, options, sample, layout);
  if (options.tolerant) return layout;
  for (std::size_t j = 0; j < layout.columns.size(); ++j)
    if (layout.columns[j].role == Role::numeric) choose_kind(source, sample.columns[j], layout.columns[j]);
  return layout;
}

}  // namespace mercer
