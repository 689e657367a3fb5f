#include "solvers/direct_box.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/box_active_set.hpp"
#include "solvers/box_interior.hpp"
#include "solvers/box_products.hpp"
#include "solvers/box_system.hpp"

namespace mercer {

namespace {

// A variable is at a bound where its multiplier would survive the move there.
std::vector<double> at_their_bounds(const BoxQp& problem, std::span<const double> K, std::size_t points,
                                    const InteriorPoint& inner) {
  std::vector<double> beta = inner.beta;
  for (std::size_t v = 0; v < beta.size(); ++v) {
    const auto i = std::size_t(problem.points[v]);
    const double curvature = std::abs(K[i * points + i]), up = beta[v] - problem.lower[v],
                 down = problem.upper[v] - beta[v];
    if (up <= down && curvature * up < inner.above[v])
      beta[v] = problem.lower[v];
    else if (down < up && curvature * down < inner.below[v])
      beta[v] = problem.upper[v];
  }
  return beta;
}

// Kβ of the centred K lacks c·Σβ, with c the means of K's rows: the linear terms take it.
BoxQp for_centred(const BoxQp& problem, std::span<const double> K, std::size_t points) {
  BoxQp moved = problem;
  const double sum = std::accumulate(problem.start.begin(), problem.start.end(), 0.0);
  if (sum == 0) return moved;
  std::vector<double> mean(points, 0);
  for (std::size_t i = 0; i < points; ++i)
    mean[i] = std::accumulate(K.begin() + std::ptrdiff_t(i * points),
                              K.begin() + std::ptrdiff_t((i + 1) * points), 0.0) /
              double(points);
  for (std::size_t v = 0; v < problem.size(); ++v)
    moved.linear[v] += sum * mean[std::size_t(problem.points[v])];
  return moved;
}

}  // namespace

std::optional<DirectSolution> solve_directly(const BoxQp& problem, std::span<const double> K,
                                             std::size_t points, double tolerance, const Progress& progress) {
  const Buffer<double> moved = centred(K, points);
  const BoxQp for_moved = for_centred(problem, K, points);
  HeldBoxSystem system(for_moved, moved, points);
  const auto inner = interior_point(for_moved, system, rounding_shift(K, points), [&](const InteriorPoint&) {
    return progress("certificate", 0.95), true;
  });
  if (!inner) return std::nullopt;
  ActiveSetResult polished = active_set(
      problem, K, moved, points, at_their_bounds(problem, moved, points, *inner), 0.5 * tolerance, progress);
  if (!polished.feasible) return std::nullopt;
  DirectSolution solution{std::move(polished.beta), {}, {}, inner->steps + polished.steps};
  solution.f = box_products(problem, K, points, solution.beta);
  solution.certificate = certify(problem, solution.beta, solution.f);
  return solution;
}

}  // namespace mercer
