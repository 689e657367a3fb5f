// Explanations of predictions. As bars that lie: left what the examples and the kernel's terms add to the
// score of each row, right how far the score moves with each column, and below that which columns matter over
// all rows. As objects with each part coloured by what it adds to the score: blue where it adds, orange where
// it takes, the stronger the more. Texts and sequences stand as they are written, molecules are drawn, and of
// other objects the parts that matter most are listed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/molecules.hpp"
#include "mercer/error.hpp"
#include "mercer/explain.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_explained_rows = 12, most_bars = 8, most_row_label = 18, most_letters = 4000;
constexpr int upward = 0, downward = 1;  // colours
constexpr double object_width = 760, object_margin = 16, letter = 7.8, object_line_height = 22,
                 molecule_width = 420, molecule_height = 308;
constexpr std::size_t letters_of_line = std::size_t((object_width - 2 * object_margin) / letter);

// A bar, or a heading over those below it.
struct Line {
  std::string label;
  double value = 0;
  bool heading = false;
};

template <class List>
auto first_of(const List& list) {
  return std::span(list).first(std::min(most_bars, list.size()));
}

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
  for (const auto& one : first_of(e.examples))
    lines.push_back({example_label(model, one.example, e.columns), one.amount});
  double rest = e.others;
  std::size_t count = e.other_count;
  for (std::size_t i = most_bars; i < e.examples.size(); ++i) rest += e.examples[i].amount, ++count;
  if (count > 0) lines.push_back({fmt::format("{} others", count), rest});
  if (e.self != 0) lines.push_back({"the row itself", e.self});
  if (e.trend != 0) lines.push_back({"linear trend", e.trend});
  for (const TermAmount& term : e.terms) lines.push_back({term.kernel, term.amount});
  if (!e.no_examples.empty() && !e.columns.empty() && e.columns[0].amount)
    for (const ColumnEffect& column : first_of(e.columns))
      lines.push_back({column.name + " = " + column.value, *column.amount});
  lines.push_back({"constant", e.constant});
}

void add_columns(const Explanation& e, std::vector<Line>& lines) {
  if (e.columns.empty()) return;
  lines.push_back({heading(e), 0, true});
  for (const ColumnEffect& column : first_of(e.columns))
    lines.push_back({column.name + " = " + column.value, column.effect});
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
      chart.text(x.low + 0.01 * (x.high - x.low), at - 0.18, shortened(lines[i].label, 52), {.colour = ink},
                 Anchor::start);
    else if (std::isfinite(value))
      chart.rectangle(std::min(0.0, value), at - 0.36, std::max(0.0, value), at + 0.36,
                      {.colour = value < 0 ? downward : upward});
  }
  return chart;
}

/// Elements from the top down.
class Column {
 public:
  void heading(const std::string& text) {
    for (const std::string& line : wrapped(text, 90, 3)) {
      y_ += object_line_height;
      body_ += fmt::format("<text x='{}' y='{}' class='{}' font-weight='600'>{}</text>\n",
                           pixels(object_margin), pixels(y_), fill_class(ink), escape_xml(line));
    }
    y_ += 6;
  }
  /// A word at a place of the line that is open; `share` of the largest amount.
  void word(std::string_view text, double share) {
    const std::size_t size = characters(text);
    if (at_ + size > letters_of_line && at_ > 0) end_line();
    const double x = object_margin + double(at_) * letter, top = y_ + 5;
    if (share != 0)
      body_ +=
          fmt::format("<rect x='{}' y='{}' width='{}' height='{}' class='{}' fill-opacity='{:.2f}'/>\n",
                      pixels(x), pixels(top), pixels(double(size) * letter), pixels(object_line_height - 4),
                      fill_class(share > 0 ? upward : downward), 0.75 * std::abs(share));
    body_ += fmt::format(
        "<text x='{}' y='{}' class='{}' style='font-family:monospace;font-size:13px' xml:space='preserve' "
        "textLength='{}'>{}</text>\n",
        pixels(x), pixels(y_ + object_line_height - 4), fill_class(ink), pixels(double(size) * letter),
        escape_xml(text));
    at_ += size;
  }
  void end_line() {
    if (at_ == 0) return;
    y_ += object_line_height;
    at_ = 0;
  }
  void inset(std::string svg) {
    const std::size_t begin = svg.find("<svg");
    if (begin == svg.npos) return;
    svg.erase(0, begin);
    // Bonds are black on any page.
    body_ += fmt::format(
        "<g transform='translate({} {})'><rect width='{}' height='{}' rx='6' fill='#fff'/>{}</g>\n",
        pixels(object_margin), pixels(y_), pixels(molecule_width), pixels(molecule_height - 8), svg);
    y_ += molecule_height;
  }
  std::string finish() {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' class='mercer-chart' viewBox='0 0 {0} {1}' width='{0}' "
        "height='{1}' role='img'>\n{2}\n{3}</svg>\n",
        pixels(object_width), pixels(y_ + object_margin), chart_style, body_);
  }

 private:
  std::string body_;
  double y_ = 0;
  std::size_t at_ = 0;  // characters on the line that is open
};

void draw_text(Column& column, std::string_view text, std::span<const PartEffect> parts, double most) {
  std::size_t at = 0;
  for (const PartEffect& part : parts) {
    if (part.begin >= most_letters) break;
    if (part.begin > at) column.word(text.substr(at, part.begin - at), 0);
    column.word(text.substr(part.begin, part.end - part.begin), most > 0 ? part.amount / most : 0);
    at = part.end;
  }
  if (at < text.size()) column.word(text.substr(at, 40), 0);
  column.end_line();
}

void list_parts(Column& column, std::vector<PartEffect> parts, double most) {
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const PartEffect& part) { return std::abs(part.amount); });
  for (const PartEffect& part : first_of(parts)) {
    column.word(fmt::format("{:+10.4g}  {}", part.amount, part.text), most > 0 ? part.amount / most : 0);
    column.end_line();
  }
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
  for (const ColumnInfluence& one : first_of(influences)) columns.push_back({one.name, one.influence});
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

std::string object_picture(const Points& points, std::span<const Explanation> explained) {
  if (explained.empty()) throw Error(ErrorCode::invalid_argument, "there is no row to draw");
  Column column;
  for (const Explanation& e : explained.first(std::min(most_explained_rows, explained.size()))) {
    column.heading(heading(e));
    for (const Objects& objects : points.objects()) {
      std::vector<PartEffect> parts;
      double most = 0;
      for (const PartEffect& part : e.parts)
        if (part.column == objects.name())
          parts.push_back(part), most = std::max(most, std::abs(part.amount));
      const Texts* texts = std::get_if<Texts>(&objects.storage());
      if (objects.domain() == Domain::molecule && !parts.empty()) {
        std::vector<double> weights;
        for (const PartEffect& part : parts) weights.push_back(part.amount);
        column.inset(molecule_svg((*texts)[e.row], weights));
      } else if (texts) {
        draw_text(column, (*texts)[e.row], parts, most);
      } else {
        list_parts(column, parts, most);
      }
    }
  }
  column.heading("Blue parts add to f, orange ones take from it: f(x) − f(x without the part).");
  return column.finish();
}

}  // namespace mercer
