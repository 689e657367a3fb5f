// Which class is taken for which: counts in cells, blue where they are right and orange where they are wrong,
// the stronger the larger their part of the true class (by its root, so that rare mistakes are seen). Cells
// are never so strong that their number could not be read on a light or a dark page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart_style.hpp"
#include "plot/class_curves.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_classes = 30, most_label = 14;
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

}  // namespace

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

}  // namespace mercer
