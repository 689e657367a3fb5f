#include "plot/lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

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

namespace {

// An edge of the grid: the node it begins at, times two, plus 1 where it goes up. A line crosses an edge at
// most once, so that segments of neighbouring cells meet on the same edge and are joined by its number, not
// by rounded coordinates.
using Edge = std::size_t;

class March {
 public:
  March(std::span<const double> x, std::span<const double> y, std::span<const double> values, double level)
      : x_(x), y_(y), values_(values), level_(level) {}

  std::vector<std::vector<Place>> lines() {
    for (std::size_t r = 0; r + 1 < y_.size(); ++r)
      for (std::size_t c = 0; c + 1 < x_.size(); ++c) cross_cell(r, c);
    std::vector<std::vector<Place>> found;
    // Open lines first, from one of their ends; what is left is closed.
    for (const auto& [edge, next] : neighbours_)
      if (next.size() == 1 && !used_.contains(edge)) found.push_back(follow(edge));
    for (const auto& [edge, next] : neighbours_)
      if (!used_.contains(edge)) found.push_back(follow(edge));
    return found;
  }

 private:
  double value(std::size_t r, std::size_t c) const { return values_[r * x_.size() + c]; }

  void join(Edge a, Edge b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }

  void cross_cell(std::size_t r, std::size_t c) {
    const std::array corner{value(r, c), value(r, c + 1), value(r + 1, c + 1), value(r + 1, c)};
    if (!std::ranges::all_of(corner, [](double v) { return std::isfinite(v); })) return;
    const std::size_t node = r * x_.size() + c;
    // Bottom, right, top, left.
    const std::array<Edge, 4> edge{2 * node, 2 * (node + 1) + 1, 2 * (node + x_.size()), 2 * node + 1};
    std::vector<Edge> crossed;
    for (std::size_t i = 0; i < 4; ++i)
      if ((corner[i] >= level_) != (corner[(i + 1) % 4] >= level_)) crossed.push_back(edge[i]);
    if (crossed.size() == 2) join(crossed[0], crossed[1]);
    if (crossed.size() != 4) return;
    // A saddle: the mean tells which of the two diagonals is connected.
    const bool middle = (corner[0] + corner[1] + corner[2] + corner[3]) / 4 >= level_;
    const bool around_first = (corner[0] >= level_) != middle;  // whether lines cut off the corners 0 and 2
    join(edge[0], around_first ? edge[3] : edge[1]);
    join(edge[2], around_first ? edge[1] : edge[3]);
  }

  Place place(Edge edge) const {
    const std::size_t node = edge / 2, r = node / x_.size(), c = node % x_.size();
    const bool up = edge % 2 == 1;
    const double a = value(r, c), b = up ? value(r + 1, c) : value(r, c + 1);
    const double t = (level_ - a) / (b - a);
    return up ? Place{x_[c], y_[r] + t * (y_[r + 1] - y_[r])} : Place{x_[c] + t * (x_[c + 1] - x_[c]), y_[r]};
  }

  std::vector<Place> follow(Edge first) {
    std::vector<Place> line;
    Edge edge = first;
    for (;;) {
      line.push_back(place(edge));
      used_.insert(edge);
      const auto& near = neighbours_[edge];
      const auto next = std::ranges::find_if(near, [&](Edge e) { return !used_.contains(e); });
      if (next == near.end()) break;
      edge = *next;
    }
    const auto& last = neighbours_[edge];
    if (line.size() > 2 && std::ranges::find(last, first) != last.end()) line.push_back(line.front());
    return line;
  }

  std::span<const double> x_, y_, values_;
  double level_;
  std::map<Edge, std::vector<Edge>> neighbours_;  // ordered, so that the lines are the same on every machine
  std::set<Edge> used_;
};

}  // namespace

std::vector<std::vector<Place>> contour_lines(std::span<const double> x, std::span<const double> y,
                                              std::span<const double> values, double level) {
  return March(x, y, values, level).lines();
}

}  // namespace mercer
