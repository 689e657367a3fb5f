#include "solvers/box_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

namespace {

// What the variables of one group say about its level.
struct Level {
  double top = -std::numeric_limits<double>::infinity();    // the largest −G of those that can rise
  double bottom = std::numeric_limits<double>::infinity();  // the smallest −G of those that can fall
  double free_sum = 0;
  std::size_t free = 0;

  double violation() const { return std::max(0.0, top - bottom); }
  double rho() const {
    if (free > 0) return free_sum / double(free);
    if (std::isinf(top) && std::isinf(bottom)) return 0;
    if (std::isinf(top)) return -bottom;
    if (std::isinf(bottom)) return -top;
    return -(top + bottom) / 2;
  }
};

}  // namespace

void BoxProblem::add(std::size_t point, double s, double l, double u) {
  points.push_back(std::int32_t(point));
  linear.push_back(s);
  lower.push_back(l);
  upper.push_back(u);
}

Certificate certify(const BoxProblem& problem, std::span<const double> beta, std::span<const double> f) {
  Certificate c;
  Level levels[2];
  for (std::size_t v = 0; v < problem.size(); ++v) {
    Level& level = levels[problem.group(v)];
    const double G = f[problem.points[v]] + problem.linear[v];
    const bool rises = beta[v] < problem.upper[v], falls = beta[v] > problem.lower[v];
    if (rises) level.top = std::max(level.top, -G);
    if (falls) level.bottom = std::min(level.bottom, -G);
    if (rises && falls) level.free_sum += G, ++level.free;
    c.objective += 0.5 * beta[v] * (G + problem.linear[v]);
  }
  for (int g = 0; g < 2; ++g) {
    c.violation = std::max(c.violation, levels[g].violation());
    c.levels[g] = levels[g].rho();
  }
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double above = f[problem.points[v]] + problem.linear[v] - c.levels[problem.group(v)];
    c.gap += above > 0 ? (beta[v] - problem.lower[v]) * above : (problem.upper[v] - beta[v]) * -above;
  }
  return c;
}

}  // namespace mercer
