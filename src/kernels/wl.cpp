// The labels of a refinement are 64-bit hashes of the label of a node and the sorted labels around it, so
// that no dictionary is shared between graphs: new ones get the labels that known ones have, in any order and
// on any thread.
#include "mercer/kernels/wl.hpp"

#include <algorithm>

#include "data/adjacency.hpp"
#include "kernels/path_features.hpp"

namespace mercer {

namespace {

using Labels = std::vector<std::uint64_t>;

/// Each label with those of the neighbours, a neighbour's with that of the edge to it.
Labels refined(const Adjacency& graph, const Labels& labels) {
  Labels next(labels.size());
  std::vector<std::uint64_t> around;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    around.clear();
    for (const auto* neighbour = graph.begin(v); neighbour != graph.end(v); ++neighbour)
      around.push_back(key_of(std::uint64_t(neighbour->label), labels[neighbour->node]));
    std::ranges::sort(around);
    std::uint64_t label = key_of(labels[v], around.size());
    for (const std::uint64_t other : around) label = key_of(label, other);
    next[v] = label;
  }
  return next;
}

void add_nodes(const Labels& labels, std::uint64_t t, FeatureRow& out) {
  for (std::uint32_t v = 0; v < labels.size(); ++v) out.add(key_of(labels[v], t), 1, {v, v + 1});
}

/// Half of an edge's feature at each end.
void add_edges(const Adjacency& graph, const Labels& labels, std::uint64_t t, FeatureRow& out) {
  for (std::uint32_t v = 0; v < labels.size(); ++v)
    for (const auto* neighbour = graph.begin(v); neighbour != graph.end(v); ++neighbour) {
      const auto [low, high] = std::minmax(labels[v], labels[neighbour->node]);
      const std::uint64_t key = key_of(key_of(low, high), key_of(std::uint64_t(neighbour->label), t));
      out.add(key, neighbour->node == v ? 1 : 0.5, {v, v + 1});
    }
}

}  // namespace

void WeisfeilerLehman::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Adjacency graph = adjacency(x, i);
  const bool paths = base == "shortest_path", edges = base == "edge";
  const std::vector<std::int32_t> steps = paths ? all_steps(graph, i) : std::vector<std::int32_t>();
  Labels labels;
  for (const std::int32_t label : graph.labels) labels.push_back(std::uint64_t(label));
  for (int t = 0; t <= iterations; ++t) {
    if (t > 0) labels = refined(graph, labels);
    if (paths)
      add_paths(steps, labels, std::uint64_t(t), out);
    else if (edges)
      add_edges(graph, labels, std::uint64_t(t), out);
    else
      add_nodes(labels, std::uint64_t(t), out);
  }
}

}  // namespace mercer
