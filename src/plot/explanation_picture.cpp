// Explanations as bars that lie: left what the examples and the kernel's terms add to the score of each row,
// right how far the score moves with each column, and below that which columns matter over all rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/explain.hpp"
#include "plot/chart.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_explained_rows = 12, most_bars = 8, most_row_label = 18;
constexpr int upward = 0, downward = 1;  // colours

// A bar, or a heading over those below it.
struct Line {
  std::string label;
  double value = 0;
  bool heading = false;
};

std::string heading(const Explanation& e) {
  const std::string what = e.against.empty() ? e.subject : fmt::format("{}, not {}", e.subject, e.against);
  return fmt::format("row {}: {}, f = {}", e.row + 1, what, label_text(e.score));
}

// As many columns as there is room for, at least the first.
std::string example_label(const Model& model, std::size_t example, const std::vector<ColumnEffect>& columns) {
  const std::string label = example_class(model, example);
  std::string text;
  std::vector<std::size_t> shown;
  for (const ColumnEffect& column : columns) {
    shown.push_back(column.column);
    const std::string values = example_text(model, example, shown),
                      longer = label + (label.empty() || values.empty() ? "" : ": ") + values;
    if (!text.empty() && (longer.size() > most_row_label || shown.size() > 4)) break;
    text = longer;
  }
  return text.empty() ? fmt::format("example {}", example + 1) : text;
}

void add_parts(const Model& model, const Explanation& e, std::vector<Line>& lines) {
  lines.push_back({heading(e), 0, true});
  for (std::size_t i = 0; i < std::min(most_bars, e.examples.size()); ++i)
    lines.push_back({example_label(model, e.examples[i].example, e.columns), e.examples[i].amount});
  double rest = e.others;
  std::size_t count = e.other_count;
  for (std::size_t i = most_bars; i < e.examples.size(); ++i) rest += e.examples[i].amount, ++count;
  if (count > 0) lines.push_back({fmt::format("{} others", count), rest});
  if (e.self != 0) lines.push_back({"the row itself", e.self});
  for (const TermAmount& term : e.terms) lines.push_back({term.kernel, term.amount});
  if (!e.no_examples.empty() && !e.columns.empty() && e.columns[0].amount)
    for (std::size_t c = 0; c < std::min(most_bars, e.columns.size()); ++c)
      lines.push_back({e.columns[c].name + " = " + e.columns[c].value, *e.columns[c].amount});
  lines.push_back({"constant", e.constant});
}

void add_columns(const Explanation& e, std::vector<Line>& lines) {
  if (e.columns.empty()) return;
  lines.push_back({heading(e), 0, true});
  for (std::size_t c = 0; c < std::min(most_bars, e.columns.size()); ++c)
    lines.push_back({e.columns[c].name + " = " + e.columns[c].value, e.columns[c].effect});
}

Chart bars(const std::string& title, const std::string& label, const std::vector<Line>& lines) {
  std::vector<double> values{0};
  Axis y{.label = "", .low = -0.5, .high = double(lines.size()) - 0.5};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].heading) continue;
    values.push_back(lines[i].value);
    y.ticks.emplace_back(double(lines.size() - 1 - i), shortened(lines[i].label, most_row_label));
  }
  const Axis x = axis_over(label, values, 0.06);
  Chart chart(title, x, std::move(y), 620, 90 + 22 * double(lines.size()));
  chart.vertical(0, {.colour = muted, .width = 1});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double at = double(lines.size() - 1 - i), value = lines[i].value;
    if (lines[i].heading)
      chart.text(chart.x().low + 0.01 * (chart.x().high - chart.x().low), at - 0.18,
                 shortened(lines[i].label, 52), {.colour = ink}, Anchor::start);
    else if (std::isfinite(value))
      chart.rectangle(std::min(0.0, value), at - 0.36, std::max(0.0, value), at + 0.36,
                      {.colour = value < 0 ? downward : upward});
  }
  return chart;
}

}  // namespace

std::string explanation_picture(const Model& model, std::span<const Explanation> explained,
                                std::span<const ColumnInfluence> influences) {
  if (explained.empty() && influences.empty())
    throw Error(ErrorCode::invalid_argument, "there is no explanation to draw");
  std::vector<Line> parts, columns;
  const std::size_t drawn = std::min(most_explained_rows, explained.size());
  for (std::size_t i = 0; i < drawn; ++i) {
    add_parts(model, explained[i], parts);
    add_columns(explained[i], columns);
  }
  if (!influences.empty()) columns.push_back({"over all rows: mean |effect|", 0, true});
  for (std::size_t c = 0; c < std::min(most_bars, influences.size()); ++c)
    columns.push_back({influences[c].name, influences[c].influence});
  std::vector<Chart> charts;
  if (!parts.empty()) charts.push_back(bars("What adds up to f", "adds to f", parts));
  if (!columns.empty())
    charts.push_back(bars("What the columns do", "f moves by, for one standard deviation", columns));
  if (drawn < explained.size())
    charts.front().note(fmt::format("the first {} of {} explanations", drawn, explained.size()));
  if (drawn > 0 && !explained[0].terms.empty())
    charts.front().note("examples and terms add up to f each, with the constant");
  if (drawn > 0 && !explained[0].no_examples.empty())
    charts.front().note("no examples: " + explained[0].no_examples);
  return Chart::side_by_side(charts);
}

}  // namespace mercer
