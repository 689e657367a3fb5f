#include "solvers/kernel_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/pool.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr double step = 1e-5;            // of the differences
constexpr std::size_t slope_tile = 128;  // two of them fit the second-level cache
const double widest = std::log(1e5);     // a logarithm is looked for this far from where it began

// The kernel `by` a half of the width away from t in one coordinate, or from the nearest t that lets both
// sides be allowed.
Kernel kernel_beside(const KernelCoordinates& coordinates, std::span<const double> t, std::size_t which,
                     double by) {
  const double h = std::abs(by);
  std::vector<double> moved(t.begin(), t.end());
  moved[which] = std::clamp(t[which], coordinates.least(which) + h, coordinates.most(which) - h) + by;
  return coordinates.at(moved);
}

double step_of(const KernelCoordinates& coordinates, std::span<const double> t, std::size_t which) {
  return coordinates.logarithmic(which) ? step : step * std::max(1.0, std::abs(t[which]));
}

}  // namespace

KernelCoordinates::KernelCoordinates(const Kernel& kernel)
    : kernel_(kernel), parameters_(numeric_parameters(kernel)) {
  for (const KernelParameter& p : parameters_) logarithmic_.push_back(p.interval.low >= 0 && p.value > 0);
  const Node& node = kernel.node();
  leading_factor_ = !parameters_.empty() && node.numbers_lead() && !node.leaf() && logarithmic_[0];
}

std::vector<double> KernelCoordinates::start() const {
  std::vector<double> t;
  for (std::size_t i = 0; i < size(); ++i)
    t.push_back(logarithmic_[i] ? std::log(parameters_[i].value) : parameters_[i].value);
  return t;
}

double KernelCoordinates::least(std::size_t i) const {
  const double low = parameters_[i].interval.low;
  return !logarithmic_[i] ? low : low > 0 ? std::log(low) : -700.0;
}

double KernelCoordinates::most(std::size_t i) const {
  const double high = parameters_[i].interval.high;
  return logarithmic_[i] ? std::log(high) : high;
}

double KernelCoordinates::low(std::size_t i) const {
  const double value = parameters_[i].value;
  return std::max(least(i), logarithmic_[i] ? std::log(value) - widest : value - 10 * (1 + std::abs(value)));
}

double KernelCoordinates::high(std::size_t i) const {
  const double value = parameters_[i].value;
  return std::min(most(i), logarithmic_[i] ? std::log(value) + widest : value + 10 * (1 + std::abs(value)));
}

Kernel KernelCoordinates::at(std::span<const double> t) const {
  std::vector<double> values(t.begin(), t.begin() + std::ptrdiff_t(size()));
  for (std::size_t i = 0; i < size(); ++i)
    if (logarithmic_[i])
      values[i] = t[i] == std::log(parameters_[i].value) ? parameters_[i].value : std::exp(t[i]);
  return with_parameters(kernel_, values);
}

KernelDifference::KernelDifference(const KernelCoordinates& coordinates, std::span<const double> t,
                                   std::size_t which)
    : width(2 * step_of(coordinates, t, which)),
      above(kernel_beside(coordinates, t, which, width / 2)),
      below(kernel_beside(coordinates, t, which, -width / 2)) {}

// Over the tiles of the lower half; what lies below the diagonal counts twice.
double weighted_slope(const KernelDifference& difference, const Points& points, const WeightRow& weights,
                      int threads, const Progress& progress) {
  const std::size_t n = points.rows(), blocks = (n + slope_tile - 1) / slope_tile;
  const KernelOperator<double> above(difference.above, points, {.threads = threads});
  const KernelOperator<double> below(difference.below, points, {.threads = threads});
  struct Tiles {
    std::vector<double> up = std::vector<double>(slope_tile * slope_tile), down = up,
                        weights = std::vector<double>(slope_tile);
  };
  Pool<Tiles> pool;
  std::vector<double> sums(blocks * blocks, 0);
  parallel_for(blocks * blocks, threads_worth(n * n * 8, threads), [&](std::size_t task) {
    const Range r{task / blocks * slope_tile, std::min(n, (task / blocks + 1) * slope_tile)},
        c{task % blocks * slope_tile, std::min(n, (task % blocks + 1) * slope_tile)};
    if (c.begin > r.begin) return;
    auto loan = pool.borrow();
    auto& [up, down, row] = *loan;
    above.tile(r, c, std::span(up).first(r.size() * c.size()));
    below.tile(r, c, std::span(down).first(r.size() * c.size()));
    for (std::size_t i = r.begin; i < r.end; ++i) {
      const Range lower{c.begin, std::min(c.end, i + 1)};
      weights(i, lower, std::span(row).first(lower.size()));
      for (std::size_t j = lower.begin; j < lower.end; ++j) {
        const std::size_t e = (i - r.begin) * c.size() + j - c.begin;
        sums[task] += (i == j ? 1 : 2) * row[j - lower.begin] * (up[e] - down[e]);
      }
    }
    progress.check("derivatives", double(task) / double(blocks * blocks));
  });
  double trace = 0;
  for (const double sum : sums) trace += sum / difference.width;
  return trace;
}

}  // namespace mercer
