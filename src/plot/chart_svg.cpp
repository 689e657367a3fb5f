// A chart as text: the axes with their grid, what was drawn on them, the legend and the notes below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_points = 5000;  // of all series together
constexpr std::size_t always_drawn = 200;  // of one series
constexpr std::size_t most_entry = 40;     // characters
constexpr std::size_t most_legend_rows = 8;
constexpr double bar_width = 14, bar_room = 92, bar_label = 76;  // of the colours: its label is at most there

std::string word(const char* kind, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, pixels(x), pixels(y),
                     escape_xml(text));
}

// Dots and squares are strokes without length: their caps are what is seen.
void add_marker(std::string& path, const Place& at, Marker marker, double size) {
  const auto p = [](double value) { return pixels(value); };
  switch (marker) {
    case Marker::dot:
    case Marker::square:
      path += fmt::format("M{} {}h0", p(at.x), p(at.y));
      break;
    case Marker::ring:
      path += fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0", p(at.x - size), p(at.y),
                          p(size), p(2 * size));
      break;
    case Marker::cross:
      path += fmt::format("M{0} {1}l{2} {2}m0 -{2}l-{2} {2}", p(at.x - size * 0.9), p(at.y - size * 0.9),
                          p(size * 1.8));
      break;
    case Marker::triangle:
      path += fmt::format("M{} {}l{} {}h-{}z", p(at.x), p(at.y - size * 1.2), p(size * 1.1), p(size * 2),
                          p(size * 2.2));
      break;
  }
}

std::string markers_markup(const std::string& path, const Style& style) {
  const std::string opacity = opacity_attribute(style.opacity);
  if (style.marker == Marker::triangle)
    return fmt::format("<path class=\"{}\"{} d=\"{}\"/>\n", fill_class(style.colour), opacity, path);
  const bool solid = style.marker == Marker::dot || style.marker == Marker::square;
  return fmt::format(
      "<path class=\"{}\" fill=\"none\" stroke-width=\"{:.4g}\"{}{} d=\"{}\"/>\n", stroke_class(style.colour),
      solid ? style.size * (style.marker == Marker::dot ? 2 : 1.8) : 1.3,
      solid ? fmt::format(" stroke-linecap=\"{}\"", style.marker == Marker::dot ? "round" : "square") : "",
      opacity, path);
}

std::string turned_word(const char* kind, double x, double y, int degrees, const std::string& text) {
  return fmt::format("<text class=\"{}\" transform=\"translate({} {}) rotate({})\">{}</text>\n", kind,
                     pixels(x), pixels(y), degrees, escape_xml(text));
}

std::string frame_markup(const Frame& frame) {
  return fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", frame.x,
                     frame.y, frame.width, frame.height);
}

std::string bar_markup(const ColourMap& map, const std::string& label, const Frame& bar) {
  std::string out = scale_markup(map, bar) + frame_markup(bar);
  const Axis axis = drawable({.label = {}, .low = map.low(), .high = map.high()});
  std::string ticks;
  double longest = 0;
  for (const auto& [value, text] : ticks_of(axis, 5)) {
    const double y = bar.y + bar.height * (1 - axis.share(value));
    ticks += fmt::format("M{} {}h4", pixels(bar.x + bar.width), pixels(y));
    out += word("", bar.x + bar.width + 8, y + 4, text);
    longest = std::max(longest, text_width(text));
  }
  out += fmt::format("<path class=\"frame\" d=\"{}\"/>\n", ticks);
  const double x = std::min(bar.x + bar.width + longest + 24, bar.x + bar_label), y = bar.y + bar.height / 2;
  return out + turned_word("mid", x, y, -90, shortened(label, std::size_t(bar.height / 7)));
}

}  // namespace

std::string Chart::axes() const {
  std::string grid, ticks, out;
  const double foot = frame_.y + frame_.height;
  for (const auto& [value, text] : x_ticks_) {
    const double x = frame_.x + x_.share(value) * frame_.width;
    if (x_.grid) grid += fmt::format("M{} {}v{}", pixels(x), frame_.y, frame_.height);
    ticks += fmt::format("M{} {}v4", pixels(x), foot);
    out += slanted_ ? turned_word("end", x + 4, foot + 14, -45, text) : word("mid", x, foot + 18, text);
  }
  double longest = 0;
  for (const auto& [value, text] : y_ticks_) {
    const double y = frame_.y + (1 - y_.share(value)) * frame_.height;
    if (y_.grid) grid += fmt::format("M{} {}h{}", frame_.x, pixels(y), frame_.width);
    ticks += fmt::format("M{} {}h-4", frame_.x, pixels(y));
    out += word("end", frame_.x - 7, y + 4, text);
    longest = std::max(longest, text_width(text));
  }
  out = fmt::format("<path class=\"grid\" d=\"{}\"/>\n<path class=\"frame\" d=\"{}\"/>\n", grid, ticks) + out;
  if (!x_.label.empty())
    out += word("mid", frame_.x + frame_.width / 2, foot + under_ - 4,
                shortened(x_.label, std::size_t(frame_.width / 6.8)));
  if (!y_.label.empty())
    out += turned_word("mid", frame_.x - longest - 18, frame_.y + frame_.height / 2, -90,
                       shortened(y_.label, std::size_t(frame_.height / 6.8)));
  return out;
}

std::string Chart::marks(std::vector<std::string>& notes) const {
  std::size_t total = 0, drawn = 0;
  for (const auto& element : elements_)
    if (const auto* markers = std::get_if<Markers>(&element)) total += markers->places.size();
  const double share = total > most_points ? double(most_points) / double(total) : 1;
  Random random(1);
  std::string out;
  for (const auto& element : elements_) {
    if (const auto* markup = std::get_if<std::string>(&element)) {
      out += *markup;
      continue;
    }
    const auto& [places, style] = std::get<Markers>(element);
    const double kept =
        places.size() <= always_drawn ? 1 : std::max(share, double(always_drawn) / double(places.size()));
    std::string path;
    for (const Place& at : places) {
      if (kept < 1 && random.uniform() >= kept) continue;
      add_marker(path, at, style.marker, style.size);
      ++drawn;
    }
    if (!path.empty()) out += markers_markup(path, style);
  }
  if (drawn < total)
    notes.push_back(fmt::format("{} of {} points are drawn, chosen at random", drawn, total));
  return out;
}

std::string Chart::legend(double top, double& bottom) const {
  bottom = top;
  if (entries_.empty()) return {};
  constexpr double swatch = 26, gap = 16;
  double widest = 0;
  for (const Entry& entry : entries_)
    widest = std::max(widest, swatch + text_width(shortened(entry.style.label, most_entry)) + gap);
  const double left = margin, room = width_ - 2 * margin;
  const std::size_t columns = std::max<std::size_t>(1, std::min(entries_.size(), std::size_t(room / widest)));
  const bool all = entries_.size() <= columns * most_legend_rows;
  const std::size_t shown = all ? entries_.size() : columns * most_legend_rows - 1;
  const auto at = [&](std::size_t i) {
    return Place{left + double(i % columns) * widest, top + double(i / columns) * line_height + 9};
  };
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [style, kind] = entries_[i];
    const Place p = at(i);
    if (kind == Swatch::line)
      out += fmt::format("<path class=\"{}\" fill=\"none\" stroke-width=\"{:.4g}\"{}{} d=\"M{} {}h20\"/>\n",
                         stroke_class(style.colour), std::max(1.5, style.width),
                         style.dashed ? " stroke-dasharray=\"6 4\"" : "", opacity_attribute(style.opacity),
                         pixels(p.x), pixels(p.y));
    if (kind == Swatch::area)
      out += fmt::format("<path class=\"{}\" opacity=\"{:.2f}\" d=\"M{} {}h20v10h-20z\"/>\n",
                         fill_class(style.colour), style.opacity, pixels(p.x), pixels(p.y - 5));
    if (kind == Swatch::marker) {
      std::string path;
      Style sample = style;
      sample.size = std::clamp(style.size, 3.0, 6.0);
      sample.opacity = std::max(style.opacity, 0.8);
      add_marker(path, {p.x + 10, p.y}, sample.marker, sample.size);
      out += markers_markup(path, sample);
    }
    out += word("", p.x + swatch, p.y + 4, shortened(style.label, most_entry));
  }
  if (!all)
    out += word("fm", at(shown).x + swatch, at(shown).y + 4,
                fmt::format("… and {} more", entries_.size() - shown));
  bottom = at(shown + (all ? 0 : 1) - 1).y + line_height;
  return out;
}

Chart::Body Chart::body() const {
  Body body{.markup = {}, .description = {}, .width = width_ + (scale_ ? bar_room : 0), .height = 0};
  std::vector<std::string> notes = notes_;
  for (std::size_t i = 0; i < title_lines_.size(); ++i)
    body.markup += word("title", margin, margin + 8 + double(i) * line_height, title_lines_[i]);
  body.markup += axes() + marks(notes) + frame_markup(frame_);
  if (scale_)
    body.markup += bar_markup(scale_->first, scale_->second, {width_, frame_.y, bar_width, frame_.height});

  double bottom = frame_.y + frame_.height + under_ + 8;
  body.markup += legend(bottom, bottom);
  body.description = fmt::format("{} against {}.", y_.label.empty() ? "the vertical axis" : y_.label,
                                 x_.label.empty() ? "the horizontal axis" : x_.label);
  for (const std::string& note : notes) {
    body.description += " " + note + ".";
    for (const std::string& line : wrapped(note, std::size_t((body.width - 2 * margin) / 6.4), 3)) {
      bottom += line_height;
      body.markup += word("fm", margin, bottom - 4, line);
    }
  }
  body.height = std::ceil(bottom + 8);
  return body;
}

std::string Chart::svg() const { return side_by_side({this, 1}); }

std::string Chart::side_by_side(std::span<const Chart> charts) {
  std::string inside, title, description;
  double width = 0, height = 0;
  for (const Chart& chart : charts) {
    const Body body = chart.body();
    inside += width == 0 ? body.markup
                         : fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n", width, body.markup);
    width += std::ceil(body.width);
    height = std::max(height, body.height);
    if (!chart.title_.empty()) title += (title.empty() ? "" : "; ") + chart.title_;
    description += (description.empty() ? "" : " ") + body.description;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mercer-chart\" role=\"img\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n{4}<rect class=\"page\" width=\"100%\" "
      "height=\"100%\"/>\n{5}</svg>\n",
      width, height, title.empty() ? "Chart" : escape_xml(title), escape_xml(description), chart_style,
      inside);
}

}  // namespace mercer
