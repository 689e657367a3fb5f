#include "plot/clip.hpp"

#include <algorithm>
#include <cmath>

namespace mercer {

std::optional<std::pair<Place, Place>> clipped(const Frame& frame, Place from, Place to) noexcept {
  const double dx = to.x - from.x, dy = to.y - from.y;
  if (!std::isfinite(dx) || !std::isfinite(dy)) return {};
  double enter = 0, leave = 1;
  // Along the segment each side of the frame is the bound of t in p·t ≤ q.
  const double sides[4][2] = {{-dx, from.x - frame.x},
                              {dx, frame.x + frame.width - from.x},
                              {-dy, from.y - frame.y},
                              {dy, frame.y + frame.height - from.y}};
  for (const auto& [p, q] : sides) {
    if (p == 0 && q < 0) return {};
    if (p < 0) enter = std::max(enter, q / p);
    if (p > 0) leave = std::min(leave, q / p);
  }
  if (enter > leave) return {};
  const auto at = [&](double t) {
    return t == 0 ? from : t == 1 ? to : Place{from.x + t * dx, from.y + t * dy};
  };
  return std::pair{at(enter), at(leave)};
}

std::vector<Place> clipped(const Frame& frame, std::vector<Place> polygon) {
  // A side is the half-plane sign·(coordinate − bound) ≥ 0.
  const auto cut = [&](double Place::*coordinate, double bound, double sign) {
    std::vector<Place> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Place& from = polygon[i];
      const Place& to = polygon[(i + 1) % polygon.size()];
      const double a = sign * (from.*coordinate - bound), b = sign * (to.*coordinate - bound);
      if (a >= 0) kept.push_back(from);
      if ((a < 0) == (b < 0)) continue;
      const double t = a / (a - b);
      Place crossing{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
      crossing.*coordinate = bound;
      kept.push_back(crossing);
    }
    polygon = std::move(kept);
  };
  cut(&Place::x, frame.x, 1);
  cut(&Place::x, frame.x + frame.width, -1);
  cut(&Place::y, frame.y, 1);
  cut(&Place::y, frame.y + frame.height, -1);
  return polygon;
}

}  // namespace mercer
