#include "mercer/kernels/shortest_path.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/path_features.hpp"
#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;

/// The least number of steps, by trying every way; −1 where there is none.
int distance(const Graph& graph, int from, int to, std::vector<bool> seen) {
  if (from == to) return 0;
  seen[std::size_t(from)] = true;
  int best = -1;
  for (int next = 0; next < graph.nodes(); ++next) {
    if (seen[std::size_t(next)] || graph.edge(from, next) < 0) continue;
    const int rest = distance(graph, next, to, seen);
    if (rest >= 0 && (best < 0 || rest + 1 < best)) best = rest + 1;
  }
  return best;
}

double by_definition(const Graph& x, const Graph& z) {
  const auto triples = [](const Graph& graph) {
    std::vector<std::array<int, 3>> list;
    for (int u = 0; u < graph.nodes(); ++u)
      for (int v = u + 1; v < graph.nodes(); ++v) {
        const auto [low, high] = std::minmax(graph.labels[std::size_t(u)], graph.labels[std::size_t(v)]);
        const int d = distance(graph, u, v, std::vector<bool>(std::size_t(graph.nodes())));
        if (d > 0) list.push_back({low, high, d});
      }
    return list;
  };
  double count = 0;
  for (const auto& a : triples(x))
    for (const auto& b : triples(z)) count += a == b;
  return count;
}

TEST(ShortestPath, CountsPairsOfNodesAtEqualDistance) {
  testing::expect_definition("shortest_path", testing::random_graphs(16, 6, 5), by_definition);
}

TEST(ShortestPath, OfOneNodeOrNoEdgeIsNothing) {
  const Objects x = graphs({Graph{}, Graph{{1}, {{0, 0, 0}}}, Graph{{1, 1}, {}}, Graph{{1, 1}, {{0, 1, 0}}}});
  std::vector<double> expected(16);
  expected[15] = 1;
  EXPECT_EQ(testing::gram_of("shortest_path", x), expected);
  EXPECT_EQ(testing::gram_of("normalize(shortest_path)", x), expected);
}

TEST(ShortestPath, RefusesGraphsWithTooManyPairs) {
  const Graph large{std::vector<int>(10001), {}};
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [&] {
                      testing::gram_of("shortest_path", graphs({Graph{}, large}));
                    }),
            "graph 2 has 10001 nodes, and shortest paths are between all pairs of them; at most 10000 nodes "
            "are possible, or use wl with base=subtree");
}

}  // namespace
}  // namespace mercer
