#include "data/adjacency.hpp"

#include <algorithm>

#include "data/molecules.hpp"

namespace mercer {

namespace {

Adjacency adjacency(const Graphs& graphs, std::size_t i) {
  const std::size_t n = graphs.size(i);
  Adjacency graph;
  graph.labels.assign(graphs.node_labels.data() + graphs.nodes[i],
                      graphs.node_labels.data() + graphs.nodes[i + 1]);
  struct End {
    std::uint32_t node;
    Adjacency::Neighbour neighbour;
    auto operator<=>(const End&) const = default;
  };
  std::vector<End> ends;
  for (std::size_t e = graphs.edges[i]; e < graphs.edges[i + 1]; ++e) {
    const auto from = std::uint32_t(graphs.from[e]), to = std::uint32_t(graphs.to[e]);
    ends.push_back({from, {to, graphs.edge_labels[e]}});
    ends.push_back({to, {from, graphs.edge_labels[e]}});
  }
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  graph.starts.assign(n + 1, 0);
  for (const End& end : ends) {
    ++graph.starts[end.node + 1];
    graph.neighbours.push_back(end.neighbour);
  }
  for (std::size_t v = 0; v < n; ++v) graph.starts[v + 1] += graph.starts[v];
  return graph;
}

}  // namespace

Adjacency adjacency(const Objects& objects, std::size_t i) {
  return objects.domain() == Domain::molecule ? adjacency(molecule_graph(objects, i), 0)
                                              : adjacency(objects.graphs(), i);
}

std::vector<std::vector<std::uint32_t>> plain_neighbours(const Adjacency& graph) {
  std::vector<std::vector<std::uint32_t>> lists(graph.nodes());
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (const auto* next = graph.begin(v); next != graph.end(v); ++next)
      if (next->node != v && (lists[v].empty() || lists[v].back() != next->node))
        lists[v].push_back(next->node);
  return lists;
}

void walk_from(const Adjacency& graph, std::size_t node, std::vector<std::int32_t>& steps,
               std::vector<std::uint32_t>& queue) {
  steps.assign(graph.nodes(), -1);
  steps[node] = 0;
  queue.assign(1, std::uint32_t(node));
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::uint32_t v = queue[at];
    for (const auto* next = graph.begin(v); next != graph.end(v); ++next) {
      if (steps[next->node] >= 0) continue;
      steps[next->node] = steps[v] + 1;
      queue.push_back(next->node);
    }
  }
}

}  // namespace mercer
