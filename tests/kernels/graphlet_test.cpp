// Graphlets against all sets of nodes, told apart by trying every way to lay one over the other.
#include "mercer/kernels/graphlet.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/refusal.hpp"
#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;
using testing::random_graphs;

/// The least of the adjacency texts over all orders of the nodes: the same for the same shape.
std::string shape_of(const Graph& graph, std::vector<int> nodes) {
  std::string least;
  std::sort(nodes.begin(), nodes.end());
  do {
    std::string text;
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) text += graph.edge(nodes[a], nodes[b]) >= 0 ? '1' : '0';
    if (least.empty() || text < least) least = text;
  } while (std::next_permutation(nodes.begin(), nodes.end()));
  return least;
}

bool is_connected(const Graph& graph, const std::vector<int>& nodes) {
  std::set<int> reached{nodes[0]};
  for (std::size_t round = 0; round < nodes.size(); ++round)
    for (const int u : nodes)
      for (const int v : nodes)
        if (reached.count(u) && graph.edge(u, v) >= 0) reached.insert(v);
  return reached.size() == nodes.size();
}

void choose(const Graph& graph, int size, std::vector<int>& nodes, bool connected,
            std::map<std::string, double>& counts) {
  if (int(nodes.size()) == size) {
    if (!connected || is_connected(graph, nodes)) counts[shape_of(graph, nodes)] += 1;
    return;
  }
  for (int v = nodes.empty() ? 0 : nodes.back() + 1; v < graph.nodes(); ++v) {
    nodes.push_back(v);
    choose(graph, size, nodes, connected, counts);
    nodes.pop_back();
  }
}

double by_definition(const Graph& x, const Graph& z, int size, bool connected) {
  std::map<std::string, double> a, b;
  std::vector<int> nodes;
  choose(x, size, nodes, connected, a);
  choose(z, size, nodes, connected, b);
  double sum = 0;
  for (const auto& [shape, count] : a) sum += count * (b.count(shape) ? b[shape] : 0);
  return sum;
}

TEST(Graphlet, CountsShapes) {
  const auto list = random_graphs(18, 7, 11);
  for (const int size : {3, 4})
    for (const bool connected : {false, true})
      testing::expect_definition(
          "graphlet(size=" + std::to_string(size) + ", connected=" + (connected ? "yes" : "no") + ")", list,
          [&](const Graph& x, const Graph& z) { return by_definition(x, z, size, connected); });
}

TEST(Graphlet, TellsAllShapesOfFourNodesApart) {
  std::vector<Graph> all;  // each of the 64 graphs of four nodes
  const int pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::set<std::string> shapes;
  for (int bits = 0; bits < 64; ++bits) {
    Graph graph{{0, 0, 0, 0}, {}};
    for (int e = 0; e < 6; ++e)
      if (bits >> e & 1) graph.edges.push_back({pairs[e][0], pairs[e][1], 0});
    if (shapes.insert(shape_of(graph, {0, 1, 2, 3})).second) all.push_back(graph);
  }
  ASSERT_EQ(all.size(), 11u);
  const std::vector<double> K = testing::gram_of("graphlet(size=4)", graphs(all));
  for (std::size_t e = 0; e < K.size(); ++e) EXPECT_EQ(K[e], e % 12 == 0);
}

TEST(Graphlet, GivesEachConnectedShapeAtItsNodes) {
  for (const Graph& graph : random_graphs(12, 7, 12))
    for (const int size : {3, 4}) {
      FeatureRow merged, parts(true);
      const Graphlet kernel{.size = size};
      kernel.features(graphs({graph}), 0, merged);
      kernel.features(graphs({graph}), 0, parts);
      std::map<std::uint64_t, double> sums;
      for (const auto& entry : parts.entries()) sums[entry.key] += entry.value;
      for (const auto& entry : merged.entries()) EXPECT_NEAR(sums[entry.key], entry.value, 1e-9);
    }
}

TEST(Graphlet, RefusesWhatItCannotCount) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { graphlet({.size = 5}); }), "graphlet: size must be 3 or 4, not 5");
  Graph star{std::vector<int>(3001), {}};
  for (int v = 1; v <= 3000; ++v) star.edges.push_back({0, v, 0});
  EXPECT_EQ(refusal(ErrorKind::budget, [&] { testing::gram_of("graphlet(size=4)", graphs({star})); }),
            "graph 1 may have 4.5e+09 connected parts of 4 nodes, more than can be counted; take size=3, or "
            "use wl");
  EXPECT_GT(testing::gram_of("graphlet(size=3)", graphs({star}))[0], 0);
}

}  // namespace
}  // namespace mercer
