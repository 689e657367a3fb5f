// What most pictures are made of: two axes and, between them, lines, points, bands, bars, cells and words,
// with a legend and notes below. The result is SVG text that stands alone or inside a page: styles apply
// within its class only, there are no identifiers, and light or dark follows the reader's settings. What lies
// outside the axes is cut off.
//
// Colours are those of Okabe & Ito (2008), told apart by the colour-blind, some of them darker on white and
// brighter on black so that thin lines keep a contrast of 3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plot/axis.hpp"
#include "plot/colour_map.hpp"
#include "plot/lines.hpp"
#include "plot/svg.hpp"

namespace mercer {

enum class Marker { dot, ring, square, cross, triangle };
enum class Anchor { start, middle };

/// How something is drawn.
struct Style {
  int colour = 0;          ///< of the palette, which repeats, or one of those of plot/svg.hpp
  std::string label = {};  ///< in the legend; empty: not there
  double width = 1.5;      ///< of lines
  bool dashed = false;
  Marker marker = Marker::dot;
  double size = 3;  ///< of markers: half of their width
  double opacity = 1;
};

/// The style of the i-th of several things: another colour for each of the palette's, and another marker.
Style series_style(std::size_t i, std::string label = {});

class Chart {
 public:
  /// Width and height are of the picture without its legend and notes.
  Chart(std::string title, Axis x, Axis y, double width = 560, double height = 400);

  /// A number that is not finite breaks the line.
  void line(std::span<const double> x, std::span<const double> y, const Style& style);
  /// A line with a marker at each of its points.
  void marked_line(std::span<const double> x, std::span<const double> y, Style style);
  /// A thin upright line at each x, from low to high.
  void whiskers(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                int colour);
  /// The area between low and high; x ascends.
  void band(std::span<const double> x, std::span<const double> low, std::span<const double> high,
            const Style& style);
  /// The area from middle − half to middle + half.
  void band_around(std::span<const double> x, std::span<const double> middle, std::span<const double> half,
                   const Style& style);
  /// Of more than 5,000 points a random part is drawn, and a note says so.
  void points(std::span<const double> x, std::span<const double> y, const Style& style);
  /// Dots, each in the colour of its value and with a thin rim; none where the value is not finite.
  void points(std::span<const double> x, std::span<const double> y, std::span<const double> values,
              const ColourMap& map, double size = 3, int rim = ink);
  /// Bars from 0, or from the foot of an axis without it; `width` in units of x.
  void bars(std::span<const double> at, std::span<const double> heights, double width, const Style& style);
  void rectangle(double left, double bottom, double right, double top, const Style& style);
  /// Equal cells over the whole plot, the first row at the bottom, each with a colour of the palette (255:
  /// none).
  void cells(std::size_t columns, std::size_t rows, std::span<const std::uint8_t> colours, double opacity);
  /// The same with a colour for each number, grey for those that are not finite.
  void heat(std::size_t columns, std::size_t rows, std::span<const double> values, const ColourMap& map);
  /// A scale of the colours of heat(), right of the plot.
  void colour_bar(const ColourMap& map, std::string label);
  /// Where a function has the value `level`; `values` are those in the middle of the cells of cells().
  void contour(std::size_t columns, std::size_t rows, std::span<const double> values, double level,
               const Style& style);
  /// `halo`: a rim in the colour of the page, against what lies below.
  void text(double x, double y, const std::string& text, const Style& style, Anchor anchor = Anchor::middle,
            bool halo = true);
  void horizontal(double y, const Style& style);
  void vertical(double x, const Style& style);
  void note(std::string line);

  std::string svg() const;
  /// Several charts in a row, as one picture.
  static std::string side_by_side(std::span<const Chart> charts);

 private:
  static constexpr double margin = 16, line_height = 18;  // pixels

  enum class Swatch { line, marker, area };
  struct Entry {
    Style style;
    Swatch swatch;
  };
  struct Markers {
    std::vector<Place> places;
    Style style;
  };
  struct Body {
    std::string markup, description;
    double width, height;
  };

  Place place(double x, double y) const noexcept;
  void add_grid(std::size_t columns, std::size_t rows, std::string_view attributes, const std::string& paths);
  void enter(const Style& style, Swatch swatch);
  std::string axes() const;
  std::string marks(std::vector<std::string>& notes) const;
  std::string legend(double top, double& bottom) const;
  Body body() const;

  std::string title_;
  std::vector<std::string> title_lines_;
  Axis x_, y_;
  double width_;
  Frame frame_;  // of the plot, in pixels
  std::vector<std::pair<double, std::string>> x_ticks_, y_ticks_;
  bool slanted_ = false;  // the words at the x ticks
  double under_ = 0;      // the height of the x axis: its words and its label
  std::vector<std::variant<std::string, Markers>> elements_;  // in the order drawn
  std::vector<Entry> entries_;
  std::optional<std::pair<ColourMap, std::string>> scale_;  // of colours, with its label
  std::vector<std::string> notes_;
};

}  // namespace mercer
