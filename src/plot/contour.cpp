#include "plot/contour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace mercer {

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
    for (bool going = true; going;) {
      line.push_back(place(edge));
      used_[edge] = true;
      going = false;
      for (const Edge next : neighbours_[edge]) {
        if (used_.contains(next)) continue;
        edge = next;
        going = true;
        break;
      }
    }
    const auto& last = neighbours_[edge];
    if (line.size() > 2 && std::ranges::find(last, first) != last.end()) line.push_back(line.front());
    return line;
  }

  std::span<const double> x_, y_, values_;
  double level_;
  std::map<Edge, std::vector<Edge>> neighbours_;  // ordered, so that the lines are the same on every machine
  std::map<Edge, bool> used_;
};

}  // namespace

std::vector<std::vector<Place>> contour_lines(std::span<const double> x, std::span<const double> y,
                                              std::span<const double> values, double level) {
  return March(x, y, values, level).lines();
}

}  // namespace mercer
