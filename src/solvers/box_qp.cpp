#include "solvers/box_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace mercer {

namespace {

// What the variables of one group say about its group.
struct GroupRho {
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

// What is a rounding away from a bound is at it: it would count as free otherwise.
double within(double value, double lower, double upper) {
  const auto is_at = [&](double bound) { return std::abs(value - bound) <= 1e-12 * std::abs(bound); };
  return is_at(lower) ? lower : is_at(upper) ? upper : std::clamp(value, lower, upper);
}

}  // namespace

void BoxQp::add(std::size_t point, double s, double l, double u) {
  points.push_back(std::int32_t(point));
  linear.push_back(s);
  lower.push_back(l);
  upper.push_back(u);
}

// Sums that are not 0 are those of the ν methods, whose coefficients are known up to a factor; it is found
// first. The excess of a sum is taken from those that made it, in proportion; what lacks goes where it fits.
std::vector<double> feasible_guess(const BoxQp& problem) {
  std::vector<double> beta = problem.guess;
  for (int g = 0; g < 2; ++g) {
    const auto total = [&](const std::vector<double>& of, int sign) {
      double sum = 0;
      for (std::size_t v = 0; v < of.size(); ++v)
        if (problem.group(v) == g && of[v] * sign > 0) sum += of[v];
      return sum;
    };
    const auto scale = [&](int sign, double by) {
      for (std::size_t v = 0; v < beta.size(); ++v)
        if (problem.group(v) == g && beta[v] * sign > 0) beta[v] *= by;
    };
    const double wanted = total(problem.start, 1) + total(problem.start, -1);
    if (const double sum = total(beta, 1) + total(beta, -1); wanted != 0 && wanted / sum > 0)
      scale(1, wanted / sum), scale(-1, wanted / sum);
    for (std::size_t v = 0; v < beta.size(); ++v)
      if (problem.group(v) == g) beta[v] = within(beta[v], problem.lower[v], problem.upper[v]);
    const double rounding = 1e-14 * (total(beta, 1) - total(beta, -1) + std::abs(wanted));
    double excess = total(beta, 1) + total(beta, -1) - wanted;
    const int sign = excess > 0 ? 1 : -1;
    if (const double side = total(beta, sign); std::abs(excess) > rounding && side != 0)
      scale(sign, std::max(0.0, 1 - excess / side));
    excess = total(beta, 1) + total(beta, -1) - wanted;
    for (std::size_t v = 0; v < beta.size() && std::abs(excess) > rounding; ++v) {
      if (problem.group(v) != g) continue;
      const double moved = std::clamp(beta[v] - excess, problem.lower[v], problem.upper[v]);
      excess += moved - beta[v];
      beta[v] = moved;
    }
  }
  return beta;
}

Certificate certify(const BoxQp& problem, std::span<const double> beta, std::span<const double> f) {
  Certificate c;
  GroupRho groups[2];
  for (std::size_t v = 0; v < problem.size(); ++v) {
    GroupRho& group = groups[problem.group(v)];
    const double f_v = f[problem.points[v]], G = f_v + problem.rising(v, beta[v]);
    const bool rises = beta[v]<problem.upper[v], falls = beta[v]> problem.lower[v];
    if (rises) group.top = std::max(group.top, -G);
    if (falls) group.bottom = std::min(group.bottom, -(f_v + problem.falling(v, beta[v])));
    if (rises && falls && !problem.at_kink(v, beta[v])) group.free_sum += G, ++group.free;
    c.objective += 0.5 * beta[v] * (G + problem.rising(v, beta[v]));
  }
  for (int g = 0; g < 2; ++g) {
    c.violation = std::max(c.violation, groups[g].violation());
    c.rho[g] = groups[g].rho();
  }
  const auto gap = [](double G, double value, double lower, double upper) {
    return G > 0 ? (value - lower) * G : (upper - value) * -G;
  };
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double own = f[problem.points[v]] - c.rho[problem.group(v)], lower = problem.lower[v],
                 upper = problem.upper[v], kink = problem.kinks.empty() ? lower : problem.kinks[v];
    c.gap += gap(own + problem.linear[v], std::max(beta[v], kink), kink, upper);
    if (kink != lower) c.gap += gap(own + problem.below[v], std::min(beta[v], kink), lower, kink);
  }
  return c;
}

CompactQp::CompactQp(const BoxQp& original) : problem(original) {
  std::vector<std::size_t>& all = points;
  all.assign(original.points.begin(), original.points.end());
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  const std::size_t first = all.empty() ? 0 : all.front(), last = all.empty() ? 0 : all.back();
  std::vector<std::int32_t> number(last - first + 1);
  for (std::size_t k = 0; k < all.size(); ++k) number[all[k] - first] = std::int32_t(k);
  for (std::int32_t& point : problem.points) point = number[std::size_t(point) - first];
}

std::vector<double> CompactQp::spread(std::span<const double> f, std::size_t n) const {
  std::vector<double> all(n, 0);
  for (std::size_t k = 0; k < points.size(); ++k) all[points[k]] = f[k];
  return all;
}

DeduplicatedQp::DeduplicatedQp(const BoxQp& original, std::span<const std::int32_t> point_of)
    : original_(original), merged_of_(original.size()) {
  const std::vector<double> start = original.guess.empty() ? original.start : feasible_guess(original);
  const auto key = [&](std::size_t v) {
    return std::tuple(point_of[original.points[v]], original.group(v),
                      original.lower[v]<0, original.upper[v]> 0, original.linear[v]);
  };
  std::vector<std::size_t> order(original.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto in_order = [&](std::size_t a, std::size_t b) { return key(a) < key(b); };
  if (!std::ranges::is_sorted(order, in_order)) std::ranges::stable_sort(order, in_order);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t v = order[k];
    if (k == 0 || key(order[k - 1]) != key(v)) {
      merged_.add(std::size_t(point_of[original.points[v]]), original.linear[v], 0, 0);
      if (!original.groups.empty()) merged_.groups.push_back(original.groups[v]);
      if (!start.empty()) merged_.start.push_back(0);
    }
    merged_of_[v] = merged_.size() - 1;
    merged_.lower.back() += original.lower[v];
    merged_.upper.back() += original.upper[v];
    if (!start.empty()) merged_.start.back() += start[v];
  }
}

std::vector<double> DeduplicatedQp::split(std::span<const double> beta) const {
  std::vector<double> parts(original_.size());
  for (std::size_t v = 0; v < parts.size(); ++v) {
    const std::size_t m = merged_of_[v];
    const double lower = original_.lower[v], upper = original_.upper[v],
                 width = merged_.upper[m] - merged_.lower[m];
    if (beta[m] == merged_.upper[m])
      parts[v] = upper;
    else if (beta[m] == merged_.lower[m])
      parts[v] = lower;
    else
      parts[v] = lower + (beta[m] - merged_.lower[m]) * ((upper - lower) / width);
  }
  return parts;
}

}  // namespace mercer
