#include "solvers/deduplicated_qp.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mercer {

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
