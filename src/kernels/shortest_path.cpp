#include "mercer/kernels/shortest_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/path_features.hpp"
#include "mercer/error.hpp"

namespace mercer {

std::vector<std::int32_t> all_steps(const Adjacency& graph, std::size_t row) {
  constexpr std::size_t most = 10'000;  // 400 MB of distances
  const std::size_t n = graph.nodes();
  if (n > most)
    throw Error(
        ErrorCode::too_large,
        fmt::format("graph {} has {} nodes, and shortest paths are between all pairs of them", row + 1, n),
        {.hint = fmt::format("at most {} nodes are possible, or use wl with base=subtree", most)});
  std::vector<std::int32_t> all, steps;
  std::vector<std::uint32_t> queue;
  all.reserve(n * n);
  for (std::size_t v = 0; v < n; ++v) {
    walk_from(graph, v, steps, queue);
    all.insert(all.end(), steps.begin(), steps.end());
  }
  return all;
}

void add_paths(std::span<const std::int32_t> steps, std::span<const std::uint64_t> labels, std::uint64_t salt,
               FeatureRow& out) {
  const std::size_t n = labels.size();
  for (std::uint32_t u = 0; u < n; ++u)
    for (std::uint32_t v = u + 1; v < n; ++v) {
      const std::int32_t length = steps[u * n + v];
      if (length < 0) continue;
      const auto [low, high] = std::minmax(labels[u], labels[v]);
      const std::uint64_t key = key_of(key_of(low, high), key_of(salt, std::uint64_t(length)));
      if (!out.keeps_parts()) {
        out.add(key, 1);
        continue;
      }
      out.add(key, 0.5, {u, u + 1});
      out.add(key, 0.5, {v, v + 1});
    }
}

void ShortestPath::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Adjacency graph = adjacency(x, i);
  std::vector<std::uint64_t> labels;
  for (const std::int32_t label : graph.labels) labels.push_back(std::uint64_t(label));
  add_paths(all_steps(graph, i), labels, 0, out);
}

}  // namespace mercer
