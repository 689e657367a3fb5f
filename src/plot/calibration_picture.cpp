// Does what is called 80 % probable happen in 80 % of the cases? (DeGroot & Fienberg 1983)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/class_curves.hpp"

namespace mercer {

namespace {

constexpr std::size_t bins = 10;

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

}  // namespace

std::string calibration_picture(const Target& truth, const Predictions& predictions,
                                const std::string& title) {
  check_probabilities(truth, predictions);
  const std::array<Bin, bins> all = binned(truth, predictions);
  const bool two = truth.labels.size() == 2;
  const std::string said = two ? fmt::format("probability given to {}", truth.labels[1])
                               : "probability given to the class predicted";
  Chart chart(title, {.label = said},
              {.label = two ? fmt::format("part of the rows that are {}", truth.labels[1])
                            : "part of the rows that are right"},
              460, 420);
  const double ends[] = {0, 1};
  chart.line(ends, ends, {.colour = muted, .label = "as it should be", .width = 1, .dashed = true});
  std::vector<double> x, y, rows, middle, whisker_x, whisker_y;
  double most = 1;
  for (std::size_t b = 0; b < bins; ++b) {
    const Bin& bin = all[b];
    middle.push_back((double(b) + 0.5) / double(bins));
    rows.push_back(bin.rows);
    most = std::max(most, bin.rows);
    if (bin.rows == 0) continue;
    x.push_back(bin.mean());
    y.push_back(bin.part());
    const auto [low, high] = bin.interval();
    whisker_x.insert(whisker_x.end(), {bin.mean(), bin.mean(), std::nan("")});
    whisker_y.insert(whisker_y.end(), {low, high, std::nan("")});
  }
  chart.line(whisker_x, whisker_y, {.colour = 0, .width = 1.5, .opacity = 0.6});
  chart.line(x, y, {.colour = 0, .label = "the model", .width = 2});
  chart.points(x, y, {.colour = 0, .size = 4});
  chart.note(fmt::format("calibration error of the class predicted {:.4f}; bars are 95 % intervals",
                         measure(metric_named("calibration_error"), truth, predictions)));
  Chart counts("Rows", {.label = said}, {.label = "rows", .low = 0, .high = most * 1.05}, 340, 420);
  counts.bars(middle, rows, 0.09, {.colour = 0, .opacity = 0.75});
  counts.note(fmt::format("{} rows", truth.codes.size()));
  const std::vector<Chart> panels{std::move(chart), std::move(counts)};
  return Chart::side_by_side(panels);
}

}  // namespace mercer
