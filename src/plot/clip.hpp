// Lines and areas cut at the frame of a picture.
#pragma once

#include <optional>
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

}  // namespace mercer
