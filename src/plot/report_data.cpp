// The data in a table: what each column holds, and how the target is spread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/dates.hpp"
#include "model/sensitivity.hpp"
#include "plot/report_parts.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_columns = 24, most_classes_listed = 20, most_categories = 4;

struct Moments {
  double low = INFINITY, high = -INFINITY, sum = 0, squares = 0, count = 0;

  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x), high = std::max(high, x);
    const double before = x - (count > 0 ? sum / count : 0);
    sum += x, count += 1;
    squares += before * (x - sum / count);  // Welford 1962
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  double deviation() const { return count > 0 ? std::sqrt(squares / count) : 0; }
};

// "cage 40, garden 30 and 3 more"
std::string categories_text(const SourceColumn& column, std::span<const Moments> moments) {
  std::vector<std::size_t> order(column.categories.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return moments[c].sum; });
  std::string text;
  for (std::size_t c = 0; c < std::min(order.size(), most_categories); ++c)
    text += fmt::format(
        "{}{} ({:.0f})", c ? ", " : "",
        shortened(column.categories[order[c]] == "?" ? "missing" : column.categories[order[c]], 30),
        moments[order[c]].sum);
  if (order.size() > most_categories) text += fmt::format(" and {} more", order.size() - most_categories);
  return text;
}

void add_column(PageTable& table, const SourceColumn& column, std::span<const Moments> moments) {
  const std::string name = shortened(column.name, 60);
  const Moments& m = moments[0];
  if (!column.categories.empty())
    table.add(name, "categories", categories_text(column, moments), "", "");
  else if (column.dates)
    table.add(name, "date", fmt::format("{} to {}", date_text(m.low), date_text(m.high)), date_text(m.mean()),
              label_text(m.deviation()) + " days");
  else if (m.low == m.high)
    table.add(name, "number", "always " + label_text(m.low), "", "");
  else
    table.add(name, "number", fmt::format("{} to {}", label_text(m.low), label_text(m.high)),
              label_text(m.mean()), label_text(m.deviation()));
}

// Columns of objects: what they are, and how large.
void add_objects(Page& page, const Points& points) {
  if (points.objects().empty()) return;
  using enum PageTable::Kind;
  PageTable table{.columns = {{"column", text}, {"holds", text}, {"bytes of an object, on average", number}}};
  for (const Objects& column : points.objects())
    table.add(
        column.name(), std::string(plural_of(column.domain())),
        fmt::format("{:.0f}", double(column.bytes()) / double(std::max<std::size_t>(1, column.rows()))));
  page.table(table);
}

void add_columns(Page& page, const ReportInput& input) {
  std::vector<SourceColumn> columns = source_columns(input.fit.model);
  const std::size_t all = columns.size();
  columns.resize(std::min(all, most_columns));
  const std::size_t wanted = columns.empty() ? 0 : columns.back().begin + columns.back().count();
  if (wanted == 0 || wanted > input.data.points.cols()) return;
  std::vector<std::size_t> chosen(wanted);
  std::iota(chosen.begin(), chosen.end(), std::size_t(0));
  const Points points = input.data.points.select_columns(chosen);
  std::vector<Moments> moments(wanted);
  std::vector<double> row(wanted);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points.copy_row(i, row);
    for (std::size_t j = 0; j < wanted; ++j) moments[j].add(row[j]);
  }
  using enum PageTable::Kind;
  PageTable table{.columns = {{"column", text},
                              {"kind", text},
                              {"range, or how many rows", text},
                              {"mean", number},
                              {"std. deviation", number}}};
  for (const SourceColumn& column : columns)
    add_column(table, column, std::span(moments).subspan(column.begin, column.count()));
  page.table(table);
  if (all > columns.size())
    page.paragraph(fmt::format("These are the first {} of {} columns.", columns.size(), all));
}

void add_classes(Page& page, const Target& target) {
  const std::vector<std::size_t> counts = class_counts(target);
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  // Few are listed in their own order; of many, the most frequent ones.
  const bool few = order.size() <= most_classes_listed;
  if (!few) std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return counts[c]; });
  using enum PageTable::Kind;
  PageTable table{.columns = {{target.name.empty() ? "class" : shortened(target.name, 40), text},
                              {"rows", number},
                              {"share", text}}};
  for (std::size_t c = 0; c < std::min(order.size(), most_classes_listed); ++c) {
    const double share = double(counts[order[c]]) / std::max(1.0, double(target.codes.size()));
    table.add(shortened(target.labels[order[c]], 60), std::to_string(counts[order[c]]),
              PageCell(fmt::format("{:.1f} %", 100 * share), share));
  }
  page.table(table);
  if (!few)
    page.paragraph(
        fmt::format("These are the {} most frequent of {} classes.", most_classes_listed, order.size()));
}

void add_numbers(Page& page, const Target& target) {
  using enum PageTable::Kind;
  PageTable table{.columns = {{"target", text},
                              {"smallest", number},
                              {"first quartile", number},
                              {"median", number},
                              {"third quartile", number},
                              {"largest", number},
                              {"mean", number},
                              {"std. deviation", number}}};
  const std::vector<std::string> names = target.output_names();
  for (std::size_t o = 0; o < std::min<std::size_t>(target.outputs, most_classes_listed); ++o) {
    Moments m;
    std::vector<double> values;
    for (std::size_t i = o; i < target.values.size(); i += target.outputs)
      values.push_back(target.values[i]), m.add(target.values[i]);
    if (values.empty()) return;
    std::ranges::sort(values);
    std::vector<PageCell> row{shortened(names[o], 60)};
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
      row.emplace_back(label_text(values[std::size_t(std::lround(part * double(values.size() - 1)))]));
    row.emplace_back(label_text(m.mean()));
    row.emplace_back(label_text(m.deviation()));
    table.rows.push_back(std::move(row));
  }
  page.table(table);
}

}  // namespace

void add_data(Page& page, const ReportInput& input) {
  const Dataset& data = input.data;
  page.section("data", "The data");
  if (data.target.task != Task::none) page.heading("What is predicted");
  if (data.target.task == Task::classification) add_classes(page, data.target);
  if (data.target.task == Task::regression) add_numbers(page, data.target);
  page.heading("What it is predicted from");
  add_objects(page, data.points);
  add_columns(page, input);
  if (!data.notes.empty()) {
    page.heading("What was done with the file");
    page.list(said(data.notes));
  }
}

}  // namespace mercer
