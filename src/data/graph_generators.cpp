#include <algorithm>
#include <cmath>

#include "data/generators.hpp"

namespace mercer {

namespace {

constexpr std::size_t labels = 3;

struct Edge {
  std::size_t from, to;
};

/// A tree whose node v > 0 hangs on one of those before it, with labels that tell nothing. In class 1 the
/// first `ring` nodes are a ring; in class 0 they are a chain, which has the same labels and nearly the same
/// degrees.
std::vector<Edge> draw_edges(const Draw& draw, std::size_t nodes, std::size_t ring) {
  std::vector<Edge> edges;
  for (std::size_t v = 1; v < nodes; ++v)
    edges.push_back({v < ring ? v - 1 : std::size_t(draw.random.below(v)), v});
  if (draw.label == 1) edges.push_back({0, ring - 1});
  const auto extra = std::size_t(std::min(std::abs(draw.jitter()), 100.0));  // rings of any length
  for (std::size_t k = 0; k < extra; ++k) {
    const std::size_t a = draw.random.below(nodes), b = draw.random.below(nodes);
    const auto [from, to] = std::minmax(a, b);
    const bool known =
        std::ranges::any_of(edges, [&](const Edge& e) { return e.from == from && e.to == to; });
    if (from != to && !known) edges.push_back({from, to});
  }
  return edges;
}

}  // namespace

Objects ring_graphs(const Drawing& drawing) {
  const std::size_t n = drawing.n, ring = drawing.dim;
  std::vector<std::int32_t> node_labels, from, to;
  Graphs graphs{Buffer<std::size_t>(n + 1, 0), Buffer<std::size_t>(n + 1, 0), {}, {}, {}, {}};
  node_labels.reserve(n * ring);
  from.reserve(n * ring);
  to.reserve(n * ring);
  Random random(drawing.seed);
  for (std::size_t i = 0; i < n; ++i) {
    const Draw draw{random, drawing.noise, i % drawing.classes, drawing.classes, drawing.seed};
    const std::size_t nodes = ring + 6 + random.below(9);
    for (std::size_t v = 0; v < nodes; ++v) node_labels.push_back(std::int32_t(1 + random.below(labels)));
    for (const Edge& edge : draw_edges(draw, nodes, ring)) {
      from.push_back(std::int32_t(edge.from));
      to.push_back(std::int32_t(edge.to));
    }
    graphs.nodes[i + 1] = node_labels.size();
    graphs.edges[i + 1] = from.size();
  }
  const auto buffer = [](const std::vector<std::int32_t>& list) {
    Buffer<std::int32_t> copy(list.size());
    std::ranges::copy(list, copy.begin());
    return copy;
  };
  graphs.node_labels = buffer(node_labels);
  graphs.from = buffer(from);
  graphs.to = buffer(to);
  graphs.edge_labels = Buffer<std::int32_t>(from.size(), 0);
  return Objects("graph", Domain::graph, std::move(graphs));
}

}  // namespace mercer
