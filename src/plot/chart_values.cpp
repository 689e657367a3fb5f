// Points in the colours of numbers. Each has a thin rim, since it may lie on a heat map of the same colours
// or on a page as dark as itself.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "plot/chart.hpp"
#include "plot/chart_style.hpp"

namespace mercer {

void Chart::points(std::span<const double> x, std::span<const double> y, std::span<const double> values,
                   const ColourMap& map, double size, int rim) {
  constexpr double rim_width = 0.7;
  std::array<std::string, ColourMap::steps> paths;
  std::string all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Place at = place(x[i], y[i]);
    if (!frame_.holds(at) || !std::isfinite(values[i])) continue;
    const std::string dot = fmt::format("M{} {}h0", pixels(at.x), pixels(at.y));
    paths[map.step(values[i])] += dot;
    all += dot;
  }
  if (all.empty()) return;
  std::string group = fmt::format(
      "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.4g}\">\n<path class=\"{}\" "
      "stroke-width=\"{:.4g}\" d=\"{}\"/>\n",
      2 * size, stroke_class(rim), 2 * (size + rim_width), all);
  for (std::size_t step = 0; step < paths.size(); ++step)
    if (!paths[step].empty())
      group += fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", map.colour(step).hex(), paths[step]);
  elements_.emplace_back(group + "</g>\n");
}

}  // namespace mercer
