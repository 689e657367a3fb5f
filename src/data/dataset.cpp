// Rows chosen of a data set; how a target is read, whether it can be learned, and whether a column gives it
// away. A person who names the wrong column, or leaves the answer among the questions, gets a model that
// looks like any other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "data/decimal.hpp"
#include "data/label_column.hpp"
#include "mercer/dataset.hpp"
#include "mercer/folds.hpp"
#include "mercer/target_reading.hpp"

namespace mercer {

namespace {

/// The chosen rows of `from`, each of `width` elements; nothing of nothing.
template <class T>
std::vector<T> pick(const std::vector<T>& from, std::span<const std::size_t> chosen, std::size_t width = 1) {
  std::vector<T> picked;
  if (from.empty()) return picked;
  picked.reserve(chosen.size() * width);
  for (const std::size_t row : chosen) {
    const auto first = from.begin() + std::ptrdiff_t(row * width);
    picked.insert(picked.end(), first, first + std::ptrdiff_t(width));
  }
  return picked;
}

/// In fewer rows, agreement is chance.
constexpr std::size_t fewest_rows = 10;
constexpr double least_correlation = 0.9999;

std::string named(const Target& target) {
  return target.name.empty() ? "the target" : "target " + in_quotes(target.name);
}

[[noreturn]] void refuse_target(const std::string& what,
                                std::vector<Hint> hints = {{Remedy::name_other_target}}) {
  throw Error(ErrorCode::wrong_target, what, {.hints = std::move(hints)});
}

void check_classes(const Target& target, std::vector<Note>& notes) {
  std::vector<std::size_t> rows_of(target.labels.size());
  for (const std::int32_t code : target.codes) ++rows_of[std::size_t(code)];
  const auto classes = std::size_t(std::ranges::count_if(rows_of, [](std::size_t rows) { return rows > 0; }));
  if (classes == 1)
    refuse_target(fmt::format("{} is {} in every row, so there is nothing to learn", named(target),
                              in_quotes(target.labels[std::size_t(target.codes[0])])));
  if (classes > fewest_rows && classes * 2 > target.size()) {
    const bool numbers = read_number(target.labels.back()).kind == Number::Kind::number;  // texts come last
    refuse_target(fmt::format("{} has {} classes in {} rows: looks like an ID column, not a target",
                              named(target), classes, target.size()),
                  numbers ? std::vector<Hint>{{Remedy::name_other_target}, {Remedy::read_as_numbers}}
                          : std::vector<Hint>{{Remedy::name_other_target}});
  }
  std::vector<std::string> single;
  for (std::size_t c = 0; c < rows_of.size(); ++c)
    if (rows_of[c] == 1) single.push_back(target.labels[c]);
  if (!single.empty() && target.size() >= fewest_rows)
    notes.push_back(
        fmt::format("{} of {} has one row only: {}",
                    single.size() == 1 ? "a class" : fmt::format("each of {} classes", single.size()),
                    named(target), listed(single)));
}

void check_numbers(const Target& target, std::vector<Note>& notes) {
  const std::vector<std::string> names = target.output_names();
  for (std::size_t output = 0; output < target.outputs; ++output) {
    const auto value = [&](std::size_t i) { return target.values[i * target.outputs + output]; };
    bool constant = true, counts = true;
    for (std::size_t i = 1; i < target.size(); ++i) {
      constant = constant && value(i) == value(0);
      counts = counts && value(i) == value(i - 1) + 1;
    }
    if (constant)
      refuse_target(fmt::format("target {} is {} in every row, so there is nothing to learn",
                                in_quotes(names[output]), value(0)));
    if (counts && target.size() >= fewest_rows)
      notes.push_back({fmt::format("target {} numbers the rows ({}, {}, {} …) and may be an ID",
                                   in_quotes(names[output]), value(0), value(1), value(2)),
                       {{Remedy::name_other_target}}});
  }
}

/// A column of the table, as the columns it became among the points.
struct Columns {
  std::string name;
  std::size_t first = 0, count = 1;
};

std::vector<Columns> columns_of(const Dataset& data) {
  std::vector<Columns> columns;
  std::size_t next = 0;
  for (const Schema::Column& column : data.schema.columns) {
    if (column.width() == 0) continue;
    columns.push_back({column.name, next, column.width()});
    next += columns.back().count;
  }
  if (next == data.points.cols()) return columns;
  columns.clear();
  for (std::size_t j = 0; j < data.points.cols(); ++j) columns.push_back({data.points.name(j), j, 1});
  return columns;
}

/// One-to-one: the rows of a class agree in the column, and no two classes do.
template <class T>
std::vector<std::string> repeat_classes(const Dense<T>& points, const Target& target,
                                        const std::vector<Columns>& columns) {
  std::vector<std::size_t> row_of_class(target.labels.size(), points.rows);  // its first
  for (std::size_t i = points.rows; i-- > 0;) row_of_class[std::size_t(target.codes[i])] = i;
  std::vector<std::size_t> first_rows = row_of_class;
  std::erase(first_rows, points.rows);
  std::vector<const Columns*> left;
  for (const Columns& column : columns) left.push_back(&column);
  const auto begin = [&](std::size_t row, const Columns& column) { return points.row(row) + column.first; };
  for (std::size_t i = 0; i < points.rows && !left.empty(); ++i)
    std::erase_if(left, [&](const Columns* column) {
      const T* const here = begin(i, *column);
      return !std::equal(here, here + column->count,
                         begin(row_of_class[std::size_t(target.codes[i])], *column));
    });
  std::vector<std::string> names;
  for (const Columns* column : left) {
    std::set<std::vector<T>> values;
    for (const std::size_t row : first_rows)
      values.emplace(begin(row, *column), begin(row, *column) + column->count);
    if (values.size() == first_rows.size()) names.push_back(column->name);
  }
  return names;
}

struct LineMoments {
  double mean = 0, square = 0, product = 0;  // square and product about the means
};

/// A straight line through all points.
template <class T>
std::vector<std::string> repeat_numbers(const Dense<T>& points, const Target& target, std::size_t output,
                                        const std::vector<Columns>& columns) {
  const std::size_t n = points.rows, d = points.cols;
  const auto y = [&](std::size_t i) { return target.values[i * target.outputs + output]; };
  double mean = 0, square = 0;
  std::vector<LineMoments> of(d);
  for (std::size_t i = 0; i < n; ++i) {
    mean += y(i) / double(n);
    for (std::size_t j = 0; j < d; ++j) of[j].mean += double(points.row(i)[j]) / double(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    square += (y(i) - mean) * (y(i) - mean);
    for (std::size_t j = 0; j < d; ++j) {
      const double x = double(points.row(i)[j]) - of[j].mean;
      of[j].square += x * x;
      of[j].product += x * (y(i) - mean);
    }
  }
  std::vector<std::string> names;
  for (const Columns& column : columns) {
    const LineMoments& m = of[column.first];
    if (column.count == 1 &&
        std::abs(m.product) > least_correlation * std::sqrt(m.square) * std::sqrt(square))
      names.push_back(column.name);
  }
  return names;
}

template <class T>
void find_leaks(const Dense<T>& points, const Dataset& data, std::vector<Note>& notes) {
  if (points.rows < fewest_rows) return;
  const std::vector<Columns> columns = columns_of(data);
  std::vector<std::string> names;
  if (data.target.task == Task::classification)
    names = repeat_classes(points, data.target, columns);
  else
    for (std::size_t output = 0; output < data.target.outputs; ++output)
      for (const std::string& name : repeat_numbers(points, data.target, output, columns))
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    notes.push_back(
        {fmt::format("column {} repeats the target: a model that learns from it learns nothing else",
                     in_quotes(names[k])),
         {{Remedy::drop_column, names[k]}}});
  if (names.size() > most)
    notes.push_back(fmt::format("{} more columns repeat the target", names.size() - most));
}

constexpr std::size_t surely_classes = 10, most_classes = 100;

/// How many different values there are, or 0 where they are not all whole or are more than can be classes.
std::size_t different_whole_numbers(const Target& target) {
  if (target.task == Task::classification) {
    const bool whole = std::ranges::all_of(target.labels, [](const std::string& label) {
      const Number number = read_number(label);
      return number.kind == Number::Kind::number && number.value == std::floor(number.value);
    });
    return whole ? target.labels.size() : 0;
  }
  if (target.task != Task::regression || target.outputs != 1) return 0;
  NumberCodes codes;
  for (const double value : target.values) {
    if (!(value == std::floor(value))) return 0;
    codes.code(value + 0.0);  // −0 is 0
    if (codes.values().size() > most_classes) return 0;
  }
  return codes.values().size();
}

}  // namespace

std::vector<std::string> Target::output_names() const {
  const std::string whole = name.empty() ? "target" : name;
  if (outputs == 1) return {whole};
  std::vector<std::string> names = split_at_commas(whole);
  if (names.size() == outputs) return names;
  names.clear();
  for (std::size_t output = 1; output <= outputs; ++output) names.push_back(whole + std::to_string(output));
  return names;
}

Target Target::select_rows(std::span<const std::size_t> chosen) const {
  return {task, name, labels, pick(codes, chosen), pick(values, chosen, outputs), outputs};
}

Dataset Dataset::select_rows(std::span<const std::size_t> chosen) const {
  Dataset some;
  some.points = points.select_rows(chosen);
  some.target = target.select_rows(chosen);
  some.weights = pick(weights, chosen);
  some.queries = pick(queries, chosen);
  some.schema = schema;
  some.notes = notes;
  return some;
}

std::vector<std::size_t> random_folds(const Target& target, std::size_t folds, std::uint64_t seed) {
  Random random(seed);
  const bool classes = target.task == Task::classification;
  std::vector<std::vector<std::size_t>> rows(classes ? target.labels.size() : 1);
  for (std::size_t i = 0; i < target.size(); ++i)
    rows[classes ? std::size_t(target.codes[i]) : 0].push_back(i);
  std::vector<std::size_t> fold(target.size());
  std::size_t next = 0;
  for (auto& list : rows) {
    for (std::size_t i = 0; i < list.size(); ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
    for (const std::size_t row : list) fold[row] = next++ % folds;
  }
  return fold;
}

std::vector<Note> check_target(const Dataset& data) {
  std::vector<Note> notes;
  const Target& target = data.target;
  if (target.task == Task::none || target.size() < 2) return notes;
  if (target.task == Task::classification)
    check_classes(target, notes);
  else
    check_numbers(target, notes);
  // Sparse columns that repeat the target are not what people write by mistake.
  std::visit(
      [&]<class S>(const S& points) {
        if constexpr (!requires { points.starts; }) find_leaks(points, data, notes);
      },
      data.points.storage());
  return notes;
}

bool whole_numbers_name_classes(std::span<const std::size_t> rows_of) noexcept {
  const std::size_t values = rows_of.size();
  if (values <= surely_classes) return true;
  if (values > most_classes) return false;
  const std::size_t rows = std::accumulate(rows_of.begin(), rows_of.end(), std::size_t(0));
  return rows >= 5 * values && 4 * values * std::ranges::min(rows_of) >= rows;
}

std::optional<Note> target_reading_note(const Target& target) {
  const std::size_t values = different_whole_numbers(target);
  if (values <= surely_classes || values > most_classes) return std::nullopt;
  const bool classes = target.task == Task::classification;
  return Note{fmt::format("{} has {} different whole numbers and is read as {}", named(target), values,
                          classes ? "classes" : "numbers (regression)"),
              {{classes ? Remedy::read_as_numbers : Remedy::read_as_classes}}};
}

}  // namespace mercer
