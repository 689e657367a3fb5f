#include "plot/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace mercer {

namespace {

constexpr double tick_distance = 15;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_x_label = 14, most_y_label = 20;  // characters
constexpr std::size_t most_title = 3;                        // lines

using Ticks = std::vector<std::pair<double, std::string>>;

// The ticks that have room for their words, which are shortened.
Ticks spaced(const Ticks& ticks, const Axis& axis, double length, std::size_t most) {
  Ticks kept;
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& [value, label] : ticks) {
    const double at = axis.share(value) * length;
    if (std::abs(at - last) < tick_distance) continue;
    last = at;
    kept.emplace_back(value, shortened(label, most));
  }
  return kept;
}

double longest(const Ticks& ticks) {
  double width = 0;
  for (const auto& tick : ticks) width = std::max(width, text_width(tick.second));
  return width;
}

bool overlap(const Ticks& ticks, const Axis& axis, double length) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double distance = std::abs(axis.share(ticks[i].first) - axis.share(ticks[i - 1].first)) * length;
    if ((text_width(ticks[i].second) + text_width(ticks[i - 1].second)) / 2 + 6 > distance) return true;
  }
  return false;
}

// A line without the points that could not be seen: nearer than half a pixel to the last one, or on a
// straight stretch along an axis. What is not finite stays.
std::vector<Place> thinned(const std::vector<Place>& all) {
  const auto finite = [](const Place& p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  std::vector<Place> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size() || !finite(all[i + 1]);
    if (finite(all[i]) && !last && !kept.empty() && finite(kept.back())) {
      const Place& from = kept.back();
      const bool near = std::abs(all[i].x - from.x) < 0.5 && std::abs(all[i].y - from.y) < 0.5;
      const bool level =
          from.y == all[i].y && all[i].y == all[i + 1].y && (from.x < all[i].x) == (all[i].x < all[i + 1].x);
      const bool upright =
          from.x == all[i].x && all[i].x == all[i + 1].x && (from.y < all[i].y) == (all[i].y < all[i + 1].y);
      if (near || level || upright) continue;
    }
    kept.push_back(all[i]);
  }
  return kept;
}

std::string path_of(const Frame& frame, const std::vector<Place>& places) {
  std::string path;
  Place end{nan, 0};
  for (std::size_t i = 1; i < places.size(); ++i) {
    const auto part = clipped(frame, places[i - 1], places[i]);
    if (!part) continue;
    const auto& [from, to] = *part;
    if (from.x != end.x || from.y != end.y) path += fmt::format("M{} {}", pixels(from.x), pixels(from.y));
    path += fmt::format("L{} {}", pixels(to.x), pixels(to.y));
    end = to;
  }
  return path;
}

std::string stroked(const std::string& path, const Style& style) {
  return fmt::format(
      "<path class=\"{}\" fill=\"none\" stroke-width=\"{:.4g}\" stroke-linejoin=\"round\"{}{} d=\"{}\"/>\n",
      stroke_class(style.colour), style.width, style.dashed ? " stroke-dasharray=\"6 4\"" : "",
      opacity_attribute(style.opacity), path);
}

std::string filled(const std::string& path, const Style& style) {
  return fmt::format("<path class=\"{}\"{} d=\"{}\"/>\n", fill_class(style.colour),
                     opacity_attribute(style.opacity), path);
}

}  // namespace

Style series_style(std::size_t i, std::string label) {
  constexpr Marker markers[] = {Marker::dot, Marker::triangle, Marker::square, Marker::cross, Marker::ring};
  return {.colour = int(i % palette_size),
          .label = std::move(label),
          .dashed = i / palette_size % 2 == 1,
          .marker = markers[i % std::size(markers)]};
}

Chart::Chart(std::string title, Axis x, Axis y, double width, double height)
    : title_(std::move(title)), x_(drawable(std::move(x))), y_(drawable(std::move(y))), width_(width) {
  title_lines_ = wrapped(title_, std::size_t(std::max(8.0, (width - 2 * margin) / 7.8)), most_title);
  const double top = title_lines_.empty() ? margin : margin + double(title_lines_.size()) * line_height + 4;
  y_ticks_ = spaced(ticks_of(y_, 6), y_, height - top - 50, most_y_label);
  const double left = margin + (y_.label.empty() ? 0 : line_height) + longest(y_ticks_) + 10;
  const double plot_width = std::max(60.0, width - left - margin - 8);
  x_ticks_ = spaced(ticks_of(x_, std::size_t(std::max(2.0, plot_width / 65))), x_, plot_width, most_x_label);
  slanted_ = overlap(x_ticks_, x_, plot_width);
  under_ = (slanted_ ? longest(x_ticks_) * 0.72 + 16 : 22) + (x_.label.empty() ? 0 : line_height);
  frame_ = {std::round(left) + 0.5, std::round(top) + 0.5, std::round(plot_width),
            std::round(std::max(60.0, height - top - under_ - 6))};
}

Place Chart::place(double x, double y) const noexcept {
  return {frame_.x + x_.share(x) * frame_.width, frame_.y + (1 - y_.share(y)) * frame_.height};
}

void Chart::enter(const Style& style, Swatch swatch) {
  if (!style.label.empty()) entries_.push_back({style, swatch});
}

void Chart::line(std::span<const double> x, std::span<const double> y, const Style& style) {
  enter(style, Swatch::line);
  std::vector<Place> places;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) places.push_back(place(x[i], y[i]));
  const std::string path = path_of(frame_, thinned(places));
  if (!path.empty()) elements_.emplace_back(stroked(path, style));
}

void Chart::marked_line(std::span<const double> x, std::span<const double> y, Style style) {
  line(x, y, style);
  style.label.clear();
  points(x, y, style);
}

void Chart::whiskers(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                     int colour) {
  std::vector<double> across, up;
  for (std::size_t i = 0; i < x.size(); ++i) {
    across.insert(across.end(), {x[i], x[i], nan});
    up.insert(up.end(), {low[i], high[i], nan});
  }
  line(across, up, {.colour = colour, .width = 1.5, .opacity = 0.6});
}

void Chart::band_around(std::span<const double> x, std::span<const double> middle,
                        std::span<const double> half, const Style& style) {
  std::vector<double> low, high;
  for (std::size_t i = 0; i < x.size(); ++i)
    low.push_back(middle[i] - half[i]), high.push_back(middle[i] + half[i]);
  band(x, low, high, style);
}

void Chart::band(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                 const Style& style) {
  enter(style, Swatch::area);
  std::vector<Place> there, back;
  std::string path;
  const auto close = [&] {
    there.insert(there.end(), back.rbegin(), back.rend());
    const std::vector<Place> inside = clipped(frame_, std::move(there));
    for (std::size_t i = 0; i < inside.size(); ++i)
      path += fmt::format("{}{} {}", i == 0 ? "M" : "L", pixels(inside[i].x), pixels(inside[i].y));
    if (!inside.empty()) path += "Z";
    there.clear(), back.clear();
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Place a = place(x[i], low[i]), b = place(x[i], high[i]);
    if (!std::isfinite(a.x + a.y + b.y)) {
      close();
      continue;
    }
    there.push_back(a), back.push_back(b);
  }
  close();
  if (!path.empty()) elements_.emplace_back(filled(path, style));
}

void Chart::points(std::span<const double> x, std::span<const double> y, const Style& style) {
  enter(style, Swatch::marker);
  Markers markers{{}, style};
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Place at = place(x[i], y[i]);
    if (frame_.holds(at)) markers.places.push_back(at);
  }
  elements_.emplace_back(std::move(markers));
}

// Each has a thin rim, since it may lie on a heat map of the same colours or on a page as dark as itself.
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

void Chart::rectangle(double left, double bottom, double right, double top, const Style& style) {
  enter(style, Swatch::area);
  const Place a = place(left, bottom), b = place(right, top);
  const auto within = [&](const Place& p) {
    return Place{std::clamp(p.x, frame_.x, frame_.x + frame_.width),
                 std::clamp(p.y, frame_.y, frame_.y + frame_.height)};
  };
  const auto [x0, y0] = within({std::min(a.x, b.x), std::min(a.y, b.y)});
  const auto [x1, y1] = within({std::max(a.x, b.x), std::max(a.y, b.y)});
  if (!(x1 > x0 && y1 > y0)) return;
  elements_.emplace_back(filled(
      fmt::format("M{} {}H{}V{}H{}Z", pixels(x0), pixels(y0), pixels(x1), pixels(y1), pixels(x0)), style));
}

void Chart::bars(std::span<const double> at, std::span<const double> heights, double width,
                 const Style& style) {
  const double foot = y_.logarithmic ? y_.low : std::clamp(0.0, y_.low, y_.high);
  Style each = style;
  for (std::size_t i = 0; i < std::min(at.size(), heights.size()); ++i) {
    rectangle(at[i] - width / 2, foot, at[i] + width / 2, heights[i], each);
    each.label.clear();
  }
}

// Cells of width and height 1 over the whole plot, the first row at the bottom.
void Chart::add_grid(std::size_t columns, std::size_t rows, std::string_view attributes,
                     const std::string& paths) {
  elements_.emplace_back(
      fmt::format("<g transform=\"translate({} {}) scale({:.6g} {:.6g})\"{} fill=\"none\" "
                  "shape-rendering=\"crispEdges\">\n{}</g>\n",
                  frame_.x, frame_.y + frame_.height, frame_.width / double(columns),
                  -frame_.height / double(rows), attributes, paths));
}

void Chart::cells(std::size_t columns, std::size_t rows, std::span<const std::uint8_t> colours,
                  double opacity) {
  std::string paths;
  const std::vector<std::string> runs = cell_runs(rows, columns, colours, palette_size);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].empty())
      paths += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", stroke_class(int(i)), runs[i]);
  add_grid(columns, rows, fmt::format(" opacity=\"{:.2f}\"", opacity), paths);
}

void Chart::heat(std::size_t columns, std::size_t rows, std::span<const double> values,
                 const ColourMap& map) {
  add_grid(columns, rows, "", heat_markup(rows, columns, values, map));
}

void Chart::colour_bar(const ColourMap& map, std::string label) { scale_.emplace(map, std::move(label)); }

void Chart::contour(std::size_t columns, std::size_t rows, std::span<const double> values, double level,
                    const Style& style) {
  enter(style, Swatch::line);
  if (columns == 0 || rows == 0) return;
  // Nodes in the middle of the cells, and a rim on the frame, where the function goes on as it does between
  // the last two.
  const auto nodes = [](std::size_t count, double begin, double length) {
    std::vector<double> at{begin};
    for (std::size_t i = 0; i < count; ++i) at.push_back(begin + (double(i) + 0.5) / double(count) * length);
    at.push_back(begin + length);
    return at;
  };
  // Beyond the rim's corner both directions are the mean of the nearest.
  const auto value = [&](std::size_t r, std::size_t c) {
    const auto along = [&](std::size_t row) {
      const double* v = values.data() + row * columns;
      if (c == 0) return columns > 1 ? 1.5 * v[0] - 0.5 * v[1] : v[0];
      if (c == columns + 1) return columns > 1 ? 1.5 * v[columns - 1] - 0.5 * v[columns - 2] : v[0];
      return v[c - 1];
    };
    if (r == 0) return rows > 1 ? 1.5 * along(0) - 0.5 * along(1) : along(0);
    if (r == rows + 1) return rows > 1 ? 1.5 * along(rows - 1) - 0.5 * along(rows - 2) : along(0);
    return along(r - 1);
  };
  std::vector<double> rimmed;
  for (std::size_t r = 0; r < rows + 2; ++r)
    for (std::size_t c = 0; c < columns + 2; ++c) rimmed.push_back(value(r, c));
  std::string path;
  for (std::vector<Place>& line :
       contour_lines(nodes(columns, frame_.x, frame_.width),
                     nodes(rows, -frame_.y - frame_.height, frame_.height), rimmed, level)) {
    for (Place& at : line) at.y = -at.y;  // the grid's rows go up, pixels go down
    path += path_of(frame_, thinned(line));
  }
  if (!path.empty()) elements_.emplace_back(stroked(path, style));
}

void Chart::text(double x, double y, const std::string& text, const Style& style, Anchor anchor, bool halo) {
  const Place at = place(x, y);
  if (!frame_.holds(at)) return;
  elements_.emplace_back(fmt::format("<text class=\"{}{}{}\" x=\"{}\" y=\"{}\">{}</text>\n",
                                     fill_class(style.colour), anchor == Anchor::start ? "" : " mid",
                                     halo ? " halo" : "", pixels(at.x), pixels(at.y + 4), escape_xml(text)));
}

void Chart::horizontal(double y, const Style& style) {
  const double ends[] = {x_.low, x_.high}, same[] = {y, y};
  line(ends, same, style);
}

void Chart::vertical(double x, const Style& style) {
  const double ends[] = {y_.low, y_.high}, same[] = {x, x};
  line(same, ends, style);
}

void Chart::note(std::string line) { notes_.push_back(std::move(line)); }

}  // namespace mercer
