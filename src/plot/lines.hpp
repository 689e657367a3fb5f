// The lines of a picture: lines and areas cut at its frame, and lines of equal value of a function given on a
// grid (marching squares; Lorensen & Cline 1987, in the plane).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mercer {

struct Place {
  double x = 0, y = 0;
};

struct Frame {
  double x = 0, y = 0, width = 0, height = 0;

  bool holds(const Place& place) const noexcept {
    return place.x >= x && place.x <= x + width && place.y >= y && place.y <= y + height;
  }
};

/// The part of the segment within the frame (Liang & Barsky 1984); none where there is none or an end is not
/// a number.
std::optional<std::pair<Place, Place>> clipped(const Frame& frame, Place from, Place to) noexcept;

/// The part of the polygon within the frame (Sutherland & Hodgman 1974); parts may be joined by lines along
/// the frame.
std::vector<Place> clipped(const Frame& frame, std::vector<Place> polygon);

/// The lines along which the function, linear between neighbouring nodes, has the value `level`. `x` and `y`
/// ascend; `values` is y × x, row-major. A closed line ends where it begins. Cells with a value that is not
/// finite have no line.
std::vector<std::vector<Place>> contour_lines(std::span<const double> x, std::span<const double> y,
                                              std::span<const double> values, double level);

}  // namespace mercer
