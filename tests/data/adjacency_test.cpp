#include "data/adjacency.hpp"

#include <gtest/gtest.h>

#include "data/molecules.hpp"
#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;

TEST(Adjacency, PutsEachEdgeAtBothEndsOnce) {
  // 0 - 1 = 2, a loop at 2, and 0 - 1 written again from the other side.
  const Objects x =
      graphs({Graph{{7}, {}}, Graph{{5, 6, 7, 8}, {{0, 1, 1}, {2, 1, 2}, {2, 2, 3}, {1, 0, 1}}}});
  const Adjacency graph = adjacency(x, 1);
  EXPECT_EQ(graph.labels, (std::vector<std::int32_t>{5, 6, 7, 8}));
  EXPECT_EQ(graph.starts, (std::vector<std::size_t>{0, 1, 3, 5, 5}));
  const std::vector<Adjacency::Neighbour> expected{{1, 1}, {0, 1}, {2, 2}, {1, 2}, {2, 3}};
  EXPECT_EQ(graph.neighbours, expected);
  EXPECT_EQ(plain_neighbours(graph), (std::vector<std::vector<std::uint32_t>>{{1}, {0, 2}, {1}, {}}));
  EXPECT_EQ(adjacency(x, 0).starts, (std::vector<std::size_t>{0, 0}));
}

TEST(Adjacency, KeepsEdgesThatDifferInLabel) {
  const Adjacency graph = adjacency(graphs({Graph{{0, 0}, {{0, 1, 2}, {0, 1, 1}}}}), 0);
  EXPECT_EQ(graph.neighbours, (std::vector<Adjacency::Neighbour>{{1, 1}, {1, 2}, {0, 1}, {0, 2}}));
  EXPECT_EQ(plain_neighbours(graph), (std::vector<std::vector<std::uint32_t>>{{1}, {0}}));
}

TEST(Adjacency, TakesEmptyGraphs) {
  const Adjacency graph = adjacency(graphs({Graph{}}), 0);
  EXPECT_EQ(graph.nodes(), 0u);
  EXPECT_TRUE(plain_neighbours(graph).empty());
}

TEST(Adjacency, OfAMoleculeIsThatOfItsAtoms) {
  if (!reads_molecules()) GTEST_SKIP() << "this build has no RDKit";
  const Adjacency graph = adjacency(Objects("m", Domain::molecule, std::vector<std::string>{"C=O"}), 0);
  EXPECT_EQ(graph.labels, (std::vector<std::int32_t>{6, 8}));
  EXPECT_EQ(graph.neighbours, (std::vector<Adjacency::Neighbour>{{1, 2}, {0, 2}}));
}

TEST(WalkFrom, CountsStepsAndKnowsWhereThereIsNoWay) {
  const Adjacency graph =
      adjacency(graphs({Graph{{0, 0, 0, 0, 0}, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {0, 3, 0}}}}), 0);
  std::vector<std::int32_t> steps;
  std::vector<std::uint32_t> queue;
  walk_from(graph, 1, steps, queue);
  EXPECT_EQ(steps, (std::vector<std::int32_t>{1, 0, 1, 2, -1}));
  walk_from(graph, 4, steps, queue);
  EXPECT_EQ(steps, (std::vector<std::int32_t>{-1, -1, -1, -1, 0}));
}

}  // namespace
}  // namespace mercer
