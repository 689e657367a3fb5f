#include "losses/convexity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mercer/error.hpp"

namespace mercer {

namespace {

/// Up to nine of the targets, the smallest and the largest among them.
std::vector<double> sampled(std::span<const double> y) {
  const std::set<double> all(y.begin(), y.end());
  const std::vector<double> different(all.begin(), all.end());
  if (different.size() <= 9) return different;
  std::vector<double> some;
  for (std::size_t i = 0; i < 9; ++i) some.push_back(different[i * (different.size() - 1) / 8]);
  return some;
}

/// Predictions around the targets, finer near them, ascending.
std::vector<double> predictions(std::span<const double> y) {
  double largest = 1;
  for (const double one : y) largest = std::max(largest, std::abs(one));
  largest = std::min(largest, 50.0);  // exp(f) of far larger ones has no value
  std::set<double> all;
  for (int step = -60; step <= 60; ++step) all.insert(3 * largest * step / 60.0 + 0.0123);
  for (const double centre : y)
    if (std::abs(centre) <= largest)
      for (int step = -20; step <= 20; ++step) all.insert(centre + 0.1 * step + 0.0071);
  return {all.begin(), all.end()};
}

/// What people know of the loss: of two classes y is 1 for the second.
double seen(const Loss& loss, double number) { return loss.target() == LossTarget::signs ? -number : number; }

}  // namespace

void check_derivative(const Loss& loss, std::span<const double> y) {
  const std::vector<double> at = predictions(y);
  for (const double target : sampled(y))
    for (const double f : at) {
      const double h = 1e-6 * std::max(1.0, std::abs(f)), low = f - h, high = f + h;
      double before = 0, after = 0;
      loss.derivative(target, {&low, 1}, {&before, 1});
      loss.derivative(target, {&high, 1}, {&after, 1});
      const double slope = (loss.value(target, {&high, 1}) - loss.value(target, {&low, 1})) / (2 * h);
      const auto place = [&] {
        return fmt::format("at y = {:g}, f = {:.6g}", seen(loss, target), seen(loss, f));
      };
      if (!std::isfinite(slope) || !std::isfinite(before) || !std::isfinite(after))
        throw Error(ErrorCode::not_finite,
                    fmt::format("the loss or its derivative is not finite {}", place()),
                    {.owner = std::string(loss.name())});
      const double size =
          std::max({std::abs(before), std::abs(after), std::abs(loss.value(target, {&f, 1})), 1e-2});
      const double slack = 1e-3 * size;  // between the slopes on both sides, at a kink too
      if (slope < std::min(before, after) - slack || slope > std::max(before, after) + slack)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("the derivative is {:.6g} {}, but the value's differences give {:.6g}",
                                seen(loss, before), place(), seen(loss, slope)),
                    {.owner = std::string(loss.name()), .hint = "it is that by f, of the value as it is"});
    }
}

std::optional<std::string> find_nonconvexity(const Loss& loss, std::span<const double> y) {
  struct Fall {
    double y = 0, first = 0, left = 0, second = 0, right = 0;
    double size() const noexcept { return first - second; }
  } worst;
  const std::vector<double> at = predictions(y);
  for (const double target : sampled(y)) {
    Fall fall{.y = target,
              .first = -std::numeric_limits<double>::infinity()};  // from the largest slope so far
    for (const double f : at) {
      double slope = 0;
      loss.derivative(target, {&f, 1}, {&slope, 1});
      if (slope > fall.first) fall.first = slope, fall.left = f;
      fall.second = slope, fall.right = f;
      if (fall.size() > 1e-7 * std::max(1.0, std::abs(fall.first)) && fall.size() > worst.size())
        worst = fall;
    }
  }
  if (!(worst.size() > 0)) return {};
  if (loss.target() == LossTarget::signs)  // as people know it
    worst = {-worst.y, -worst.second, -worst.right, -worst.first, -worst.left};
  return fmt::format("at y = {:g} its slope falls from {:.4g} at f = {:.4g} to {:.4g} at f = {:.4g}", worst.y,
                     worst.first, worst.left, worst.second, worst.right);
}

}  // namespace mercer
