#include "mercer/kernels/shortest_path.hpp"

#include "kernels/path_features.hpp"

namespace mercer {

void ShortestPath::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Adjacency graph = adjacency(x, i);
  std::vector<std::uint64_t> labels;
  for (const std::int32_t label : graph.labels) labels.push_back(std::uint64_t(label));
  add_paths(all_steps(graph, i), labels, 0, out);
}

}  // namespace mercer
