// Where predictions go wrong: the confusion of classes, the calibration of probabilities, the residuals of
// numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "mercer/error.hpp"
#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/class_curves.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_classes = 30, most_label = 14, bins = 10, most_named = 8;  // named: outputs
constexpr double strongest = 0.6;

// Five digits fit into the smallest cell.
std::string count_text(std::size_t count) {
  if (count < 100'000) return std::to_string(count);
  return count < 10'000'000 ? fmt::format("{}k", count / 1000) : fmt::format("{}M", count / 1'000'000);
}

// The classes to show, in the order of the labels: those with rows or predictions, the most mistaken ones
// where they are many.
std::vector<std::size_t> shown_classes(const ClassMetrics& m, std::size_t k) {
  std::vector<std::size_t> mistakes(k), present;
  for (std::size_t i = 0; i < k; ++i) {
    std::size_t rows = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t here = m.confusion[i * k + j], there = m.confusion[j * k + i];
      rows += here + there;
      if (i != j) mistakes[i] += here + there;
    }
    if (rows > 0) present.push_back(i);
  }
  if (present.size() <= most_classes) return present;
  std::ranges::stable_sort(present, std::greater(), [&](std::size_t i) { return mistakes[i]; });
  present.resize(most_classes);
  std::ranges::sort(present);
  return present;
}

Chart grid(const std::string& title, const Target& truth, const std::vector<std::size_t>& shown) {
  const double k = double(shown.size()), cell = std::clamp(440 / k, 36.0, 96.0);
  Axis across{.label = "predicted", .low = -0.5, .high = k - 0.5, .grid = false},
      down{.label = "true", .low = -0.5, .high = k - 0.5, .grid = false};
  double longest = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string label = shortened(truth.labels[shown[i]], most_label);
    longest = std::max(longest, text_width(label));
    across.ticks.emplace_back(double(i), label);
    down.ticks.emplace_back(k - 1 - double(i), label);  // the first at the top
  }
  // What the words around the plot take, so that cells are about square.
  return Chart(title, std::move(across), std::move(down), std::max(340.0, cell * k + longest + 80),
               cell * 0.85 * k + std::min(longest, 90.0) * 0.72 + 90);
}

struct Bin {
  double rows = 0, happened = 0, said = 0;  // said: the sum of the probabilities

  double mean() const { return said / rows; }
  double part() const { return happened / rows; }
  // Wilson 1927: an interval that stays within 0 and 1, also for few rows.
  std::pair<double, double> interval() const {
    constexpr double z = 1.959963984540054;
    const double p = part(), middle = (p + z * z / (2 * rows)) / (1 + z * z / rows);
    const double half = z * std::sqrt(p * (1 - p) / rows + z * z / (4 * rows * rows)) / (1 + z * z / rows);
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
  }
};

std::array<Bin, bins> binned(const Target& truth, const Predictions& p) {
  const std::size_t k = truth.labels.size();
  std::array<Bin, bins> all;
  for (std::size_t i = 0; i < truth.codes.size(); ++i) {
    const auto about = k == 2 ? std::size_t(1) : std::size_t(p.codes[i]);
    const double said = std::clamp(p.probabilities[i * k + about], 0.0, 1.0);
    Bin& bin = all[std::min(bins - 1, std::size_t(said * double(bins)))];
    bin.rows += 1;
    bin.said += said;
    bin.happened += std::size_t(truth.codes[i]) == about;
  }
  return all;
}

// The numbers of one output.
std::vector<double> column(std::span<const double> values, std::size_t output, std::size_t outputs) {
  std::vector<double> chosen;
  for (std::size_t i = output; i < values.size(); i += outputs) chosen.push_back(values[i]);
  return chosen;
}

}  // namespace

// Which class is taken for which: counts in cells, blue where they are right and orange where they are wrong,
// the stronger the larger their part of the true class (by its root, so that rare mistakes are seen). Cells
// are never so strong that their number could not be read on a light or a dark page.
std::string confusion_picture(const Target& truth, const Predictions& predictions, const std::string& title) {
  check_class_predictions(truth, predictions);
  const std::size_t k = truth.labels.size();
  const ClassMetrics m = class_metrics(truth.codes, predictions.codes, k);
  const std::vector<std::size_t> shown = shown_classes(m, k);
  Chart chart = grid(title, truth, shown);
  const double last = double(shown.size()) - 1;
  for (std::size_t r = 0; r < shown.size(); ++r) {
    const auto row = std::span(m.confusion).subspan(shown[r] * k, k);
    const double total = double(std::accumulate(row.begin(), row.end(), std::size_t(0)));
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const std::size_t count = row[shown[c]];
      if (count == 0) continue;
      const double x = double(c), y = last - double(r);
      chart.rectangle(x - 0.5, y - 0.5, x + 0.5, y + 0.5,
                      {.colour = r == c ? 0 : 1, .opacity = strongest * std::sqrt(double(count) / total)});
      chart.text(x, y, count_text(count), {.colour = ink}, Anchor::middle, false);
    }
  }
  chart.note(
      fmt::format("accuracy {:.4f}, balanced {:.4f}, of {} rows", m.accuracy, m.balanced_accuracy, m.n));
  if (shown.size() == most_classes && k > most_classes)
    chart.note(fmt::format("the {} classes with the most mistakes, of {}", shown.size(), k));
  return chart.svg();
}

// Does what is called 80 % probable happen in 80 % of the cases? (DeGroot & Fienberg 1983)
std::string calibration_picture(const Target& truth, const Predictions& predictions,
                                const std::string& title) {
  check_probabilities(truth, predictions);
  const std::array<Bin, bins> all = binned(truth, predictions);
  const bool two = truth.labels.size() == 2;
  const std::string said = two ? fmt::format("predicted probability of {}", truth.labels[1])
                               : "probability of the predicted class";
  Chart chart(title, {.label = said},
              {.label = two ? fmt::format("fraction of rows that are {}", truth.labels[1])
                            : "fraction of rows predicted correctly"},
              460, 420);
  const double ends[] = {0, 1};
  chart.line(ends, ends, {.colour = muted, .label = "perfect calibration", .width = 1, .dashed = true});
  std::vector<double> x, y, low, high, rows, middle;
  double most = 1;
  for (std::size_t b = 0; b < bins; ++b) {
    const Bin& bin = all[b];
    middle.push_back((double(b) + 0.5) / double(bins));
    rows.push_back(bin.rows);
    most = std::max(most, bin.rows);
    if (bin.rows == 0) continue;
    x.push_back(bin.mean());
    y.push_back(bin.part());
    const auto [from, to] = bin.interval();
    low.push_back(from), high.push_back(to);
  }
  chart.whiskers(x, low, high, 0);
  chart.line(x, y, {.colour = 0, .label = "the model", .width = 2});
  chart.points(x, y, {.colour = 0, .size = 4});
  chart.note(fmt::format("calibration error of the predicted class {:.4f}; bars are 95 % intervals",
                         measure(metric_named("calibration_error"), truth, predictions)));
  Chart counts("Rows", {.label = said}, {.label = "rows", .low = 0, .high = most * 1.05}, 340, 420);
  counts.bars(middle, rows, 0.09, {.colour = 0, .opacity = 0.75});
  counts.note(fmt::format("{} rows", truth.codes.size()));
  return Chart::side_by_side(std::vector{chart, counts});
}

// Predictions of numbers against the truth, and against themselves.
std::string residual_picture(const Target& truth, const Predictions& predictions, const std::string& title) {
  const std::vector<double> y = truth.numbers();
  const std::size_t outputs = truth.outputs;
  const std::vector<double>& f = predictions.values;
  if (y.size() != f.size())
    throw Error(ErrorCode::unsupported,
                fmt::format("{} predicted numbers do not belong to {} true ones", f.size(), y.size()));
  if (y.empty()) throw Error(ErrorCode::invalid_data, "there are no rows to draw");
  std::vector<double> both = y, residuals;
  both.insert(both.end(), f.begin(), f.end());
  for (std::size_t i = 0; i < y.size(); ++i) residuals.push_back(y[i] - f[i]);
  const Axis range = axis_over("", both);
  const auto named = [&](const char* label) {
    return Axis{.label = label, .low = range.low, .high = range.high};
  };
  Chart against_truth(title, named("true"), named("predicted"), 460, 440);
  Chart against_itself("Against the prediction", axis_over("predicted", f),
                       axis_over("true − predicted", residuals, 0.06), 460, 440);
  const double ends[] = {range.low, range.high};
  against_truth.line(ends, ends, {.colour = muted, .label = "perfect prediction", .dashed = true});
  against_itself.horizontal(0, {.colour = muted, .dashed = true});
  const std::vector<std::string> names = outputs > 1 ? truth.output_names() : std::vector<std::string>{""};
  for (std::size_t o = 0; o < outputs; ++o) {
    Style style = series_style(o, o < most_named ? names[o] : "");
    style.size = 2.5;
    style.opacity = std::clamp(30 / std::sqrt(double(y.size())), 0.3, 0.85);
    against_truth.points(column(y, o, outputs), column(f, o, outputs), style);
    style.label.clear();
    against_itself.points(column(f, o, outputs), column(residuals, o, outputs), style);
  }
  const RealMetrics m = real_metrics(y, f, outputs);
  against_truth.note(fmt::format("RMSE {:.4g}, MAE {:.4g}, R² {:.4f}, of {} rows", m.rmse, m.mae, m.r2, m.n));
  return Chart::side_by_side(std::vector{against_truth, against_itself});
}

}  // namespace mercer
