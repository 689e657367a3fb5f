// Which columns matter, which training rows the model rests on most, and which rows its kernel takes for
// similar.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_operator.hpp"
#include "model/sensitivity.hpp"
#include "mercer/linear_functions.hpp"
#include "plot/report_parts.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_influences = 12, most_examples = 10, most_values = 5, most_neighbours = 5;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The columns by which rows are shown: those that matter most.
std::vector<SourceColumn> shown_columns(const Model& model, std::span<const ColumnInfluence> influences) {
  const std::vector<SourceColumn> all = source_columns(model);
  std::vector<SourceColumn> shown;
  for (std::size_t c = 0; c < std::min(all.size(), most_values); ++c)
    shown.push_back(all[c < influences.size() ? influences[c].column : c]);
  return shown;
}

std::string target_text(const Target& target, std::size_t row) {
  if (target.task == Task::classification)
    return shortened(target.labels[std::size_t(target.codes[row])], 40);
  std::string text;
  for (std::size_t o = 0; o < std::min<std::size_t>(target.outputs, 3); ++o)
    text += (o ? ", " : "") + label_text(target.values[row * target.outputs + o]);
  return target.outputs > 3 ? text + ", …" : text;
}

void add_value_columns(PageTable& table, std::span<const SourceColumn> shown) {
  for (const SourceColumn& column : shown)
    table.columns.push_back({shortened(column.name, 28),
                             column.categories.empty() ? PageTable::Kind::number : PageTable::Kind::text});
}

void add_values(std::vector<PageCell>& cells, std::span<const SourceColumn> shown,
                std::span<const double> row) {
  for (const SourceColumn& column : shown) cells.emplace_back(shortened(value_text(column, row), 40));
}

// --- The examples that the model keeps

std::vector<double> example_weights(const Expansion& e) {
  std::vector<double> weights(e.points.rows(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t c = 0; c < e.width; ++c) weights[i] += std::abs(e.coefficients[i * e.width + c]);
  return weights;
}

bool keeps_examples(const Model& model) {
  const Expansion& e = model.fitted.expansion;
  if (model.map || !model.method->traits().expands || e.points.cols() != model.columns ||
      e.coefficients.size() != e.points.rows() * e.width)
    return false;
  return !keeps_weights(model);
}

bool same_objects(const Points& a, std::size_t i, const Points& b, std::size_t j) {
  if (a.objects().size() != b.objects().size()) return false;
  for (std::size_t c = 0; c < a.objects().size(); ++c)
    if (!a.objects()[c].equal(i, b.objects()[c], j)) return false;
  return true;
}

// Of a model that was read from a file, which keeps no numbers of rows: rows of the same numbers, objects and
// class, each once.
std::vector<std::size_t> rows_like_examples(const ReportInput& input, std::span<const std::size_t> examples) {
  const Model& model = input.fit.model;
  const Target& target = input.data.target;
  std::vector<std::size_t> found(examples.size(), none);
  const Points scaled = model.scaling.apply(input.data.points), &kept = model.fitted.expansion.points;
  std::vector<std::vector<double>> wanted;
  std::vector<std::string> classes;
  for (const std::size_t example : examples)
    wanted.push_back(kept.row(example)), classes.push_back(example_class(model, example));
  std::vector<double> row(scaled.cols());
  for (std::size_t i = 0; i < scaled.rows(); ++i) {
    scaled.copy_row(i, row);
    const auto is_row = [&](std::size_t e) {
      const bool classed = target.task == Task::classification && !classes[e].empty();
      return found[e] == none && wanted[e] == row &&
             (!classed || classes[e] == target.labels[std::size_t(target.codes[i])]) &&
             same_objects(kept, examples[e], scaled, i);
    };
    for (std::size_t e = 0; e < examples.size(); ++e)
      if (is_row(e)) {
        found[e] = i;
        break;
      }
  }
  return found;
}

// The rows of the data that the examples were. A fit says which.
std::vector<std::size_t> rows_of_examples(const ReportInput& input, std::span<const std::size_t> examples) {
  const Support& support = input.fit.model.fitted.support;
  const bool told = support.coefficients.empty() &&
                    support.rows.size() == input.fit.model.fitted.expansion.points.rows() &&
                    input.fit.model.rows == input.data.rows();
  if (!told) return rows_like_examples(input, examples);
  std::vector<std::size_t> rows;
  for (const std::size_t example : examples) rows.push_back(support.rows[example]);
  return rows;
}

// The examples with the largest weights. Those of a support vector machine often share one, its bound: of
// these, the ones that the model predicts wrongly come first, with the classes in turn.
struct Ranked {
  std::size_t example, row;  // row: of the data, or none
  std::string prediction = {};
  std::tuple<double, bool, std::size_t> key = {};  // −weight, right, how many of its class come before it
};

std::vector<Ranked> ranked_examples(const ReportInput& input, std::span<const double> weights) {
  const Model& model = input.fit.model;
  const Target& target = input.data.target;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return weights[i]; });
  const std::size_t affordable =
      std::clamp<std::size_t>(3'000'000 / std::max<std::size_t>(1, input.data.rows()), most_examples, 300);
  order.resize(std::min(order.size(), affordable));
  while (!order.empty() && weights[order.back()] == 0) order.pop_back();
  const std::vector<std::size_t> rows = rows_of_examples(input, order);
  std::vector<std::size_t> known = rows;
  std::ranges::replace(known, none, std::size_t(0));
  const Predictions p = model.predict(input.data.points.select_rows(known), input.threads);
  std::map<std::pair<bool, std::string>, std::size_t> seen;
  std::vector<Ranked> all;
  for (std::size_t e = 0; e < order.size(); ++e) {
    Ranked& one = all.emplace_back(Ranked{order[e], rows[e]});
    if (one.row != none)
      one.prediction =
          model.labels.empty() ? label_text(p.values[e * p.outputs]) : model.labels[std::size_t(p.codes[e])];
    const bool classes = target.task == Task::classification && one.row != none;
    const std::string its = classes ? target.labels[std::size_t(target.codes[one.row])] : "";
    const bool wrong = classes && one.prediction != its;
    one.key = {-std::round(1e6 * weights[order[e]] / weights[order[0]]), !wrong, seen[{wrong, its}]++};
  }
  std::ranges::stable_sort(all, {}, &Ranked::key);
  all.resize(std::min(all.size(), most_examples));
  return all;
}

// --- Similar rows

// A row of each of the three most frequent classes, or those at the tenth, the half and nine tenths of the
// targets.
std::vector<std::size_t> rows_to_look_at(const Target& target, std::size_t n) {
  std::vector<std::size_t> rows;
  if (target.task == Task::classification) {
    const std::vector<std::size_t> counts = class_counts(target);
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return counts[c]; });
    for (std::size_t c = 0; c < order.size() && rows.size() < 3; ++c)
      if (counts[order[c]] > 0)
        rows.push_back(
            std::size_t(std::ranges::find(target.codes, std::int32_t(order[c])) - target.codes.begin()));
  } else {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (target.task == Task::regression)
      std::ranges::stable_sort(order, {}, [&](std::size_t i) { return target.values[i * target.outputs]; });
    for (const double part : {0.1, 0.5, 0.9}) rows.push_back(order[std::size_t(part * double(n - 1))]);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// The distance ‖φ(x) − φ(z)‖ and the number of the nearest other rows, for each of these.
using Neighbours = std::vector<std::pair<double, std::size_t>>;

std::vector<Neighbours> nearest(const Kernel& kernel, const Points& points, std::span<const std::size_t> rows,
                                int threads) {
  const std::size_t n = points.rows();
  const std::vector<double> squares =
      squared_distances(kernel, points.select_rows(rows), points, {.threads = threads});
  std::vector<Neighbours> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Neighbours& others = all.emplace_back();
    for (std::size_t i = 0; i < n; ++i)
      if (i != rows[r]) others.emplace_back(std::sqrt(squares[r * n + i]), i);
    const auto kept = std::min(others.size(), most_neighbours);
    std::ranges::partial_sort(others, others.begin() + std::ptrdiff_t(kept));
    others.resize(kept);
  }
  return all;
}

}  // namespace

void add_influences(Page& page, std::span<const ColumnInfluence> influences) {
  if (influences.empty()) return;
  page.section("columns", "Which columns matter");
  page.paragraph(
      "How much the prediction changes when a column changes as it does in the data, the other columns held "
      "fixed: the slope times the standard deviation, on average over rows. Redundant columns share their "
      "importance.");
  using enum PageTable::Kind;
  PageTable table{.columns = {{"column", text}, {"share of all", text}}};
  for (std::size_t c = 0; c < std::min(influences.size(), most_influences); ++c)
    table.add(shortened(influences[c].name, 60),
              PageCell(fmt::format("{:.1f} %", 100 * influences[c].share),
                       influences[0].share > 0 ? influences[c].share / influences[0].share : 0));
  page.table(table);
  if (influences.size() > most_influences)
    page.paragraph(fmt::format("The other {} columns move it less.", influences.size() - most_influences));
}

void add_examples(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences) {
  const Model& model = input.fit.model;
  if (!keeps_examples(model)) return;
  const std::vector<double> weights = example_weights(model.fitted.expansion);
  const std::vector<Ranked> ranked = ranked_examples(input, weights);
  if (ranked.empty()) return;
  const Target& target = input.data.target;
  page.section("examples", "The examples it rests on");
  page.paragraph(
      fmt::format("The prediction is a sum over {} training rows, each with a weight. Those with the largest "
                  "weights hold the model in place: they are often borderline or unusual rows, and worth a "
                  "look for mistakes in the data.",
                  std::ranges::count_if(weights, [](double w) { return w != 0; })));
  const std::vector<SourceColumn> shown = shown_columns(model, influences);
  using enum PageTable::Kind;
  const PageTable::Kind kind = target.task == Task::regression ? number : text;
  PageTable table{.columns = {{"row", number},
                              {target.name.empty() ? "target" : shortened(target.name, 28), kind},
                              {"prediction", kind},
                              {"weight", text}}};
  add_value_columns(table, shown);
  for (const auto& [example, row, prediction, key] : ranked) {
    const std::string its =
        row != none && target.task != Task::none ? target_text(target, row) : example_class(model, example);
    std::vector<PageCell> cells{
        row != none ? std::to_string(row + 1) : "–",
        its,
        shortened(prediction, 40),
        {label_text(weights[example]), weights[example] / weights[ranked[0].example]}};
    add_values(cells, shown, unscaled(model.scaling, model.fitted.expansion.points.row(example)));
    table.rows.push_back(std::move(cells));
  }
  page.table(table);
}

void add_neighbours(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences) {
  const Model& model = input.fit.model;
  const Dataset& data = input.data;
  if (data.rows() < 3) return;
  const std::vector<std::size_t> rows = rows_to_look_at(data.target, data.rows());
  const auto neighbours = nearest(model.kernel(), model.scaling.apply(data.points), rows, input.threads);
  const std::vector<SourceColumn> shown = shown_columns(model, influences);
  page.section("similar", "Most similar rows by the kernel");
  page.paragraph(
      "For a few rows, the nearest other rows by the distance that the kernel gives. They should be rows "
      "that a person would call similar too.");
  using enum PageTable::Kind;
  std::vector<double> values(data.points.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    page.heading(fmt::format("Row {}{}", rows[r] + 1,
                             data.target.task == Task::none ? "" : ": " + target_text(data.target, rows[r])));
    PageTable table{.columns = {{"row", number},
                                {"distance", number},
                                {data.target.name.empty() ? "target" : shortened(data.target.name, 28),
                                 data.target.task == Task::regression ? number : text}}};
    add_value_columns(table, shown);
    const auto add = [&](std::size_t row, const std::string& number, const std::string& distance) {
      data.points.copy_row(row, values);
      std::vector<PageCell> cells{number, distance,
                                  data.target.task == Task::none ? "" : target_text(data.target, row)};
      add_values(cells, shown, values);
      table.rows.push_back(std::move(cells));
    };
    add(rows[r], fmt::format("{} itself", rows[r] + 1), "0");
    for (const auto& [distance, row] : neighbours[r])
      add(row, std::to_string(row + 1), label_text(distance, 3));
    page.table(table);
  }
}

}  // namespace mercer
