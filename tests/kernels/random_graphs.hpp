// Graphs written out, random ones, and what the tests of graph kernels do with them.
#pragma once

#include <gtest/gtest.h>
#include <lapacke.h>

#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/objects.hpp"

namespace mercer::testing {

struct Graph {
  struct Edge {
    int from, to, label;
  };
  std::vector<int> labels;
  std::vector<Edge> edges;

  int nodes() const { return int(labels.size()); }
  /// The label of the edge between u and v; −1 where there is none.
  int edge(int u, int v) const {
    for (const Edge& e : edges)
      if ((e.from == u && e.to == v) || (e.from == v && e.to == u)) return e.label;
    return -1;
  }
};

inline Objects graphs(const std::vector<Graph>& list) {
  std::vector<std::int32_t> labels, from, to, edge_labels;
  Graphs all{
      Buffer<std::size_t>(list.size() + 1, 0), Buffer<std::size_t>(list.size() + 1, 0), {}, {}, {}, {}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    labels.insert(labels.end(), list[i].labels.begin(), list[i].labels.end());
    for (const auto& edge : list[i].edges) {
      from.push_back(edge.from);
      to.push_back(edge.to);
      edge_labels.push_back(edge.label);
    }
    all.nodes[i + 1] = labels.size();
    all.edges[i + 1] = from.size();
  }
  const auto buffer = [](const std::vector<std::int32_t>& values) {
    Buffer<std::int32_t> copy(values.size());
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
  };
  all.node_labels = buffer(labels);
  all.from = buffer(from);
  all.to = buffer(to);
  all.edge_labels = buffer(edge_labels);
  return Objects("graph", Domain::graph, std::move(all));
}

/// Of 0 to `most` nodes, with two labels each for nodes and edges, loops, and parts that are not connected.
inline std::vector<Graph> random_graphs(std::size_t count, int most, std::uint64_t seed, bool loops = true) {
  Random random(seed);
  std::vector<Graph> list(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int n = i < std::size_t(most) ? int(i) : int(random.below(std::uint64_t(most) + 1));
    for (int v = 0; v < n; ++v) list[i].labels.push_back(int(random.below(2)) - 1);
    const double share = random.uniform(0.1, 0.7);
    for (int u = 0; u < n; ++u)
      for (int v = u + (loops ? 0 : 1); v < n; ++v)
        if (random.uniform() < (u == v ? 0.1 : share)) list[i].edges.push_back({u, v, int(random.below(2))});
  }
  return list;
}

/// Nodes in another order: the same graph to any kernel.
inline Graph renumbered(const Graph& graph, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> place(graph.labels.size());
  for (std::size_t v = 0; v < place.size(); ++v) {
    place[v] = int(v);
    std::swap(place[v], place[random.below(v + 1)]);
  }
  Graph other{std::vector<int>(graph.labels.size()), {}};
  for (std::size_t v = 0; v < place.size(); ++v) other.labels[std::size_t(place[v])] = graph.labels[v];
  for (const auto& e : graph.edges)
    other.edges.insert(other.edges.begin(), {place[std::size_t(e.to)], place[std::size_t(e.from)], e.label});
  return other;
}

inline std::vector<double> gram_of(const std::string& kernel, const Objects& x) {
  std::vector<double> K(x.rows() * x.rows());
  KernelOperator<double>(Kernel::parse(kernel), Points(x)).matrix(K);
  return K;
}

/// Every entry equals the definition, nodes may be renumbered, and K is positive semidefinite.
inline void expect_definition(const std::string& kernel, const std::vector<Graph>& list,
                              const std::function<double(const Graph&, const Graph&)>& definition,
                              double tolerance = 0) {
  const std::size_t n = list.size();
  std::vector<double> K = gram_of(kernel, graphs(list));
  std::vector<Graph> others;
  for (const Graph& graph : list) others.push_back(renumbered(graph, others.size()));
  const std::vector<double> same = gram_of(kernel, graphs(others));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double expected = definition(list[i], list[j]);
      EXPECT_NEAR(K[i * n + j], expected, tolerance * expected)
          << kernel << " of graphs " << i << " and " << j;
      EXPECT_NEAR(same[i * n + j], expected, tolerance * expected)
          << kernel << " of renumbered graphs " << i << " and " << j;
    }
  std::vector<double> eigenvalues(n);
  ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', int(n), K.data(), int(n), eigenvalues.data()), 0);
  EXPECT_GE(eigenvalues.front(), -1e-9 * eigenvalues.back()) << kernel;
}

}  // namespace mercer::testing
