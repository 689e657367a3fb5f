#include "solvers/folded_qp.hpp"

#include <algorithm>
#include <numeric>

namespace mercer {

// Within a point the variables of either side are taken in the order of their linear terms: where equal rows
// with different targets are one point, those of one target meet.
std::optional<FoldedQp> FoldedQp::of(const BoxQp& original) {
  const std::size_t n = original.size();
  if (n == 0 || n % 2 != 0 || !original.groups.empty() || !original.kinks.empty()) return {};
  std::vector<std::size_t> order[2];
  for (std::size_t v = 0; v < n; ++v) {
    if (original.lower[v] < 0 && original.upper[v] > 0) return {};
    order[original.lower[v] < 0].push_back(v);
  }
  if (order[0].size() != order[1].size()) return {};
  const auto key = [&](std::size_t v) { return std::pair(original.points[v], original.linear[v]); };
  for (auto& side : order) std::ranges::stable_sort(side, {}, key);
  FoldedQp folded;
  for (std::size_t k = 0; k < n / 2; ++k) {
    const std::size_t above = order[0][k], below = order[1][k];
    if (original.points[above] != original.points[below] || original.linear[above] < original.linear[below])
      return {};
    folded.above_.push_back(above);
    folded.below_.push_back(below);
    folded.folded_.add(std::size_t(original.points[above]), original.linear[above], original.lower[below],
                       original.upper[above]);
    folded.folded_.below.push_back(original.linear[below]);
    folded.folded_.kinks.push_back(0);
    if (!original.start.empty())
      folded.folded_.start.push_back(original.start[above] + original.start[below]);
  }
  return folded;
}

std::vector<double> FoldedQp::unfold(std::span<const double> beta) const {
  std::vector<double> both(2 * beta.size());
  for (std::size_t k = 0; k < beta.size(); ++k) {
    both[above_[k]] = std::max(beta[k], 0.0);
    both[below_[k]] = std::min(beta[k], 0.0);
  }
  return both;
}

}  // namespace mercer
