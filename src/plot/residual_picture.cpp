// Where predictions of numbers go wrong: against the truth, and against themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_named = 8;  // outputs

// The numbers of one output.
std::vector<double> column(std::span<const double> values, std::size_t output, std::size_t outputs) {
  std::vector<double> chosen;
  for (std::size_t i = output; i < values.size(); i += outputs) chosen.push_back(values[i]);
  return chosen;
}

}  // namespace

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
  against_truth.line(ends, ends, {.colour = muted, .label = "right", .dashed = true});
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
  const std::vector<Chart> panels{std::move(against_truth), std::move(against_itself)};
  return Chart::side_by_side(panels);
}

}  // namespace mercer
