// Scores against the number of rows: curves that have met gain nothing from more rows, curves apart do.
#include <fmt/format.h>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

void draw(Chart& chart, std::span<const double> sizes, const std::vector<double>& means,
          const std::vector<double>& errors, Style style) {
  std::vector<double> low, high;
  for (std::size_t i = 0; i < means.size(); ++i)
    low.push_back(means[i] - errors[i]), high.push_back(means[i] + errors[i]);
  chart.band(sizes, low, high, {.colour = style.colour, .opacity = 0.18});
  chart.line(sizes, means, style);
  style.label.clear();
  chart.points(sizes, means, style);
}

}  // namespace

std::string learning_curve_picture(const LearningCurve& curve, const std::string& title) {
  const std::size_t count = curve.sizes.size();
  if (count == 0) throw Error(ErrorCode::unsupported, "the learning curve has no sizes to draw");
  for (const auto* scores :
       {&curve.training, &curve.training_error, &curve.validation, &curve.validation_error})
    if (scores->size() != count)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} scores do not belong to {} sizes", scores->size(), count));
  const std::vector<double> sizes(curve.sizes.begin(), curve.sizes.end());
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i)
    for (const double sign : {-1.0, 1.0}) {
      all.push_back(curve.training[i] + sign * curve.training_error[i]);
      all.push_back(curve.validation[i] + sign * curve.validation_error[i]);
    }
  Chart chart(title, axis_over("training rows", sizes, 0.03, sizes.back() > 8 * sizes.front()),
              axis_over(curve.metric, all, 0.06));
  draw(chart, sizes, curve.training, curve.training_error,
       {.colour = 1,
        .label = "training",
        .width = 2,
        .dashed = true,
        .marker = Marker::triangle,
        .size = 3.5});
  draw(chart, sizes, curve.validation, curve.validation_error,
       {.colour = 0, .label = "validation", .width = 2, .size = 3.5});
  chart.note(fmt::format("{} rows: validation {} {:.4g}, training {:.4g}; shades are standard errors",
                         curve.sizes.back(), curve.metric, curve.validation.back(), curve.training.back()));
  return chart.svg();
}

}  // namespace mercer
