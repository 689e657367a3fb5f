// How many directions a Gram matrix has: its eigenvalues, and the share of their sum that the largest ones
// have.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr std::size_t many = 40;  // from here on the number of an eigenvalue is on a logarithmic axis

Axis numbers_axis(std::size_t n) {
  if (n < many) return {.label = "number of the eigenvalue", .low = 0.5, .high = double(n) + 0.5};
  return {.label = "number of the eigenvalue", .low = 0.9, .high = double(n) * 1.1, .logarithmic = true};
}

struct Parts {
  std::vector<double> number, value;
};

Chart value_panel(const std::string& title, std::span<const double> descending) {
  Parts positive, negative;
  // What rounding makes of an eigenvalue 0, of either sign, is not drawn.
  const double floor =
      double(descending.size()) * std::numeric_limits<double>::epsilon() * std::abs(descending[0]);
  for (std::size_t i = 0; i < descending.size(); ++i) {
    if (std::abs(descending[i]) <= floor) continue;
    Parts& part = descending[i] > 0 ? positive : negative;
    part.number.push_back(double(i + 1));
    part.value.push_back(std::abs(descending[i]));
  }
  std::vector<double> all = positive.value;
  all.insert(all.end(), negative.value.begin(), negative.value.end());
  Chart chart(title, numbers_axis(descending.size()), axis_over("eigenvalue", all, 0.05, true), 460, 400);
  chart.line(positive.number, positive.value, {.colour = 0, .width = 1, .opacity = 0.6});
  chart.points(positive.number, positive.value,
               {.colour = 0, .label = negative.value.empty() ? "" : "positive", .size = 2.5});
  if (!negative.value.empty())
    chart.points(negative.number, negative.value,
                 {.colour = 1, .label = "negative: the absolute value", .marker = Marker::cross});
  if (all.size() < descending.size())
    chart.note(fmt::format("{} of {} are 0 to rounding and not drawn", descending.size() - all.size(),
                           descending.size()));
  return chart;
}

}  // namespace

std::string spectrum_picture(std::span<const double> eigenvalues, const std::string& title) {
  if (eigenvalues.empty()) throw Error(ErrorCode::invalid_argument, "there are no eigenvalues to draw");
  if (!std::ranges::all_of(eigenvalues, [](double v) { return std::isfinite(v); }))
    throw Error(ErrorCode::not_finite, "an eigenvalue is not finite");
  std::vector<double> descending(eigenvalues.begin(), eigenvalues.end());
  std::ranges::sort(descending, std::greater(), [](double v) { return std::abs(v); });
  const std::size_t n = descending.size();
  double sum = 0, squares = 0;
  for (const double value : descending) sum += std::abs(value), squares += value * value;
  Chart values = value_panel(title, descending);
  Chart shares("Share of their sum", numbers_axis(n), {.label = "cumulative share", .low = 0, .high = 1.02},
               460, 400);
  std::vector<double> numbers, share;
  double before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    numbers.push_back(double(i + 1));
    share.push_back(sum > 0 ? (before += std::abs(descending[i])) / sum : 0);
  }
  shares.line(numbers, share, {.colour = 0, .width = 2});
  if (n < many) shares.points(numbers, share, {.colour = 0});
  for (const double part : {0.9, 0.99}) {
    const auto reached = std::ranges::find_if(share, [&](double s) { return s >= part; });
    if (reached == share.end()) continue;
    shares.horizontal(part, {.colour = muted, .width = 1, .dashed = true});
    shares.note(fmt::format("{:g} % of the sum in the first {}", part * 100, reached - share.begin() + 1));
  }
  if (squares > 0)
    values.note(fmt::format("{} eigenvalues, effective rank {}", n, label_text(sum * sum / squares)));
  return Chart::side_by_side(std::vector{values, shares});
}

}  // namespace mercer
