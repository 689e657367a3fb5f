#include <gtest/gtest.h>

#include <numeric>

#include "mercer/generate.hpp"

namespace mercer {
namespace {

/// Takes nodes of one neighbour away until none is left: what stays are the rings, none in a tree.
std::size_t nodes_in_rings(const Graphs& graphs, std::size_t i) {
  const std::size_t n = graphs.size(i);
  std::vector<bool> gone(n);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t degree = 0;
      for (std::size_t e = graphs.edges[i]; e < graphs.edges[i + 1]; ++e) {
        const auto a = std::size_t(graphs.from[e]), b = std::size_t(graphs.to[e]);
        degree += (a == v || b == v) && !gone[a] && !gone[b];
      }
      if (gone[v] || degree > 1) continue;
      gone[v] = more = true;
    }
  }
  return std::size_t(std::count(gone.begin(), gone.end(), false));
}

TEST(RingGraphs, HaveARingOfTheLengthAskedForInOneClass) {
  for (const std::size_t length : {3, 6, 9}) {
    const Dataset data = generate("ring_graphs", {.n = 40, .noise = 0.0, .dim = length});
    const Graphs& graphs = data.points.objects().at(0).graphs();
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(nodes_in_rings(graphs, i), data.target.codes[i] == 1 ? length : 0u);
      EXPECT_EQ(graphs.edges[i + 1] - graphs.edges[i], graphs.size(i) - (data.target.codes[i] == 1 ? 0u : 1u))
          << "connected";
      EXPECT_GE(graphs.size(i), length + 6);
    }
  }
}

TEST(RingGraphs, GetMoreEdgesWithMoreNoise) {
  const auto edges = [](double noise) {
    const Dataset data = generate("ring_graphs", {.n = 50, .noise = noise});
    return data.points.objects()[0].graphs().from.size();
  };
  EXPECT_LT(edges(0), edges(3));
  EXPECT_LT(edges(3), edges(1e100));
}

}  // namespace
}  // namespace mercer
