#include "solvers/kernel_products.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_columns = 1024;
// Below so many points, or such a share of them, arranging the points costs what it saves.
constexpr std::size_t fewest_mutual = 128, mutual_share = 8;
constexpr std::size_t largest_block = 512, smallest_block = 64, blocks_wanted = 16;

std::vector<Range> parts_of(std::span<const Range> ranges) {
  std::vector<Range> parts;
  for (const Range& range : ranges)
    for (std::size_t begin = range.begin; begin < range.end; begin += most_columns)
      parts.push_back({begin, std::min(begin + most_columns, range.end)});
  return parts;
}

// A tournament of n blocks: in each round a block meets at most one other, so that meetings of a round may
// take place at once, and each block meets the others in an order that follows from n alone (the circle
// method). Calls round(pairs) for each.
void for_each_round(std::size_t n, const auto& round) {
  const std::size_t even = n + n % 2;  // an odd one out meets nobody
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t r = 0; r + 1 < even; ++r) {
    pairs.clear();
    const auto meet = [&](std::size_t a, std::size_t b) {
      if (a < n && b < n) pairs.emplace_back(std::min(a, b), std::max(a, b));
    };
    meet(r, even - 1);
    for (std::size_t k = 1; k < even / 2; ++k) meet((r + k) % (even - 1), (r + even - 1 - k) % (even - 1));
    round(pairs);
  }
}

// The points first, then the others of the ranges. Empty where a point is outside of the ranges.
std::vector<std::size_t> points_first(std::span<const std::size_t> points, std::span<const Range> ranges,
                                      std::size_t rows) {
  std::vector<std::uint8_t> chosen(rows, 0);
  for (const std::size_t point : points) chosen[point] = 1;
  std::vector<std::size_t> order(points.begin(), points.end());
  std::size_t all = 0;
  for (const Range& range : ranges) {
    all += range.size();
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (!chosen[i]) order.push_back(i);
  }
  if (order.size() != all) order.clear();
  return order;
}

template <class T>
void add_mutual(const KernelOperator<T>& K, std::span<const std::size_t> order, std::span<const double> t,
                std::span<double> f, int threads, const Progress& told) {
  const KernelOperator<T> own = K.select(order);
  const std::size_t m = t.size(), step = std::clamp(m / blocks_wanted / smallest_block * smallest_block,
                                                    smallest_block, largest_block);
  std::vector<double> sums(order.size(), 0);
  std::vector<std::size_t> numbers(m);
  std::iota(numbers.begin(), numbers.end(), std::size_t(0));
  const auto block = [&](std::size_t b) { return Range{b * step, std::min((b + 1) * step, m)}; };
  const std::size_t blocks = (m + step - 1) / step;
  const auto add = [&](Range rows, Range columns) {
    own.add_products(std::span(numbers).subspan(rows.begin, rows.size()), t.subspan(rows.begin, rows.size()),
                     columns, std::span(sums).subspan(columns.begin, columns.size()));
  };
  parallel_for(blocks, threads, told, "certificate", [&](std::size_t b) { add(block(b), block(b)); });
  for_each_round(blocks, [&](const auto& pairs) {
    parallel_for(pairs.size(), threads, told, "certificate", [&](std::size_t p) {
      own.add_mutual_products(block(pairs[p].first), block(pairs[p].second), t, sums);
    });
  });
  const Range others[] = {{m, order.size()}};
  const std::vector<Range> parts = parts_of(others);
  parallel_for(parts.size(), threads, told, "certificate", [&](std::size_t p) { add({0, m}, parts[p]); });
  for (std::size_t k = 0; k < order.size(); ++k) f[order[k]] += sums[k];
}

}  // namespace

template <class T>
void add_products(const KernelOperator<T>& K, std::span<const std::size_t> points, std::span<const double> t,
                  std::span<const Range> ranges, std::span<double> f, int threads, const Progress& progress) {
  const Progress told = [&](std::string_view what, double) { return progress(what, 0.95), true; };
  std::size_t columns = 0;
  for (const Range& range : ranges) columns += range.size();
  if (points.size() >= std::max(fewest_mutual, columns / mutual_share) && !K.held())
    if (const auto order = points_first(points, ranges, K.rows()); !order.empty())
      return add_mutual(K, order, t, f, threads, told);
  const std::vector<Range> parts = parts_of(ranges);
  parallel_for(parts.size(), threads, told, "certificate", [&](std::size_t p) {
    K.add_products(points, t, parts[p], f.subspan(parts[p].begin, parts[p].size()));
  });
}

template void add_products(const KernelOperator<float>&, std::span<const std::size_t>,
                           std::span<const double>, std::span<const Range>, std::span<double>, int,
                           const Progress&);
template void add_products(const KernelOperator<double>&, std::span<const std::size_t>,
                           std::span<const double>, std::span<const Range>, std::span<double>, int,
                           const Progress&);

}  // namespace mercer
