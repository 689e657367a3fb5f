// Connected shapes are found one by one (ESU, Wernicke 2006: each set of nodes is grown from its smallest, by
// nodes that only the last one brought into reach, so that it is met once). Those that are not connected
// follow by counting: a triangle with any other node is one of them, or one of the connected shapes that have
// a triangle, and so on.
#include "mercer/kernels/graphlet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "data/adjacency.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// Shapes, which are the keys too.
enum Shape : int {
  nothing3,
  edge3,
  wedge,
  triangle,
  nothing4,
  edge4,
  two_edges,
  wedge_and_node,
  triangle_and_node,
  path,
  star,
  square,
  paw,
  diamond,
  complete,
  shapes
};

using Neighbours = std::vector<std::vector<std::uint32_t>>;
using Nodes = std::vector<std::uint32_t>;

bool adjacent(const Neighbours& graph, std::uint32_t u, std::uint32_t v) {
  return std::ranges::binary_search(graph[u], v);
}

Shape shape_of(const Neighbours& graph, const Nodes& nodes) {
  int edges = 0, degrees[4] = {};
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (adjacent(graph, nodes[a], nodes[b])) {
        ++edges;
        ++degrees[a];
        ++degrees[b];
      }
  const int largest = *std::ranges::max_element(degrees);
  if (nodes.size() == 3) return edges == 3 ? triangle : wedge;
  if (edges == 3) return largest == 3 ? star : path;
  if (edges == 4) return largest == 3 ? paw : square;
  return edges == 5 ? diamond : complete;
}

template <class Use>
void grow(const Neighbours& graph, std::size_t size, Nodes& nodes, Nodes reach, Use& use) {
  if (nodes.size() == size) return use(nodes);
  while (!reach.empty()) {
    const std::uint32_t next = reach.back();
    reach.pop_back();
    Nodes wider = reach;
    for (const std::uint32_t u : graph[next])
      if (u > nodes.front() &&
          std::ranges::none_of(nodes, [&](std::uint32_t v) { return u == v || adjacent(graph, v, u); }))
        wider.push_back(u);
    nodes.push_back(next);
    grow(graph, size, nodes, std::move(wider), use);
    nodes.pop_back();
  }
}

/// Calls use(nodes) for each set of `size` nodes that is connected.
template <class Use>
void each_connected(const Neighbours& graph, std::size_t size, Use use) {
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    Nodes nodes{v}, reach;
    std::ranges::copy_if(graph[v], std::back_inserter(reach), [&](std::uint32_t u) { return u > v; });
    grow(graph, size, nodes, std::move(reach), use);
  }
}

double choose(double n, int k) {
  if (n < k) return 0;
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

/// A bound on the connected sets: each holds a star or a path over all its nodes.
void check_size(const Neighbours& graph, int size, std::size_t row) {
  constexpr double most = 1e9;
  double count = 0;
  for (const auto& around : graph) {
    const auto degree = double(around.size());
    count += choose(degree, size - 1);
    if (size == 4)
      for (const std::uint32_t u : around) count += (degree - 1) * double(graph[u].size() - 1) / 2;
  }
  if (count > most)
    throw Error(ErrorCode::too_large,
                fmt::format("graph {} may have {:.2g} connected parts of {} nodes, more than can be counted",
                            row + 1, count, size),
                {.hint = fmt::format("{}use wl", size == 4 ? "take size=3, or " : "")});
}

/// Sets the counts of the shapes that are not connected from those that are (of 3 nodes, and of 4 where
/// `size` is 4).
void count_the_rest(const Neighbours& graph, int size, std::span<double> c) {
  const auto n = double(graph.size());
  double edges = 0, meeting = 0;  // pairs of edges that share a node
  for (const auto& around : graph) {
    edges += double(around.size()) / 2;
    meeting += choose(double(around.size()), 2);
  }
  c[edge3] = n < 3 ? 0 : edges * (n - 2) - 2 * c[wedge] - 3 * c[triangle];
  c[nothing3] = choose(n, 3) - c[edge3] - c[wedge] - c[triangle];
  if (size == 3 || n < 4) return;
  c[triangle_and_node] = c[triangle] * (n - 3) - c[paw] - 2 * c[diamond] - 4 * c[complete];
  c[wedge_and_node] =
      c[wedge] * (n - 3) - 2 * c[path] - 3 * c[star] - 4 * c[square] - 2 * c[paw] - 2 * c[diamond];
  c[two_edges] =
      choose(edges, 2) - meeting - c[path] - 2 * c[square] - c[paw] - 2 * c[diamond] - 3 * c[complete];
  c[edge4] = edges * choose(n - 2, 2) - 3 * (c[path] + c[star]) - 4 * (c[square] + c[paw]) - 5 * c[diamond] -
             6 * c[complete] - 3 * c[triangle_and_node] - 2 * (c[wedge_and_node] + c[two_edges]);
  c[nothing4] = choose(n, 4);
  for (int shape = edge4; shape < shapes; ++shape) c[nothing4] -= c[std::size_t(shape)];
}

}  // namespace

void Graphlet::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Neighbours graph = plain_neighbours(adjacency(x, i));
  check_size(graph, size, i);
  double counts[shapes] = {};
  each_connected(graph, 3, [&](const Nodes& nodes) { counts[shape_of(graph, nodes)] += 1; });
  if (size == 4) each_connected(graph, 4, [&](const Nodes& nodes) { counts[shape_of(graph, nodes)] += 1; });
  count_the_rest(graph, size, counts);
  if (out.keeps_parts())  // an equal share of a shape at each of its nodes
    each_connected(graph, std::size_t(size), [&](const Nodes& nodes) {
      for (const std::uint32_t v : nodes)
        out.add(std::uint64_t(shape_of(graph, nodes)), 1.0 / size, {v, v + 1});
    });
  const bool all = connected == "no";
  for (int shape = size == 3 ? nothing3 : nothing4; shape <= (size == 3 ? triangle : complete); ++shape) {
    const bool is_connected = shape == wedge || shape == triangle || shape >= path;
    if (is_connected ? !out.keeps_parts() : all)
      out.add(std::uint64_t(shape), counts[shape], {0, std::uint32_t(graph.size())});
  }
}

}  // namespace mercer
