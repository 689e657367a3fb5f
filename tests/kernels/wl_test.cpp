// wl against labels that are written out as texts: no hashing, no sharing of code.
#include "mercer/kernels/wl.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "data/molecules.hpp"
#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

using testing::expect_definition;
using testing::Graph;
using testing::graphs;
using testing::random_graphs;

using Words = std::vector<std::string>;

Words refined(const Graph& graph, const Words& labels) {
  Words next;
  for (int v = 0; v < graph.nodes(); ++v) {
    Words around;
    for (int u = 0; u < graph.nodes(); ++u)
      if (graph.edge(u, v) >= 0)
        around.push_back(std::to_string(graph.edge(u, v)) + ":" + labels[std::size_t(u)]);
    std::sort(around.begin(), around.end());
    std::string label = "(" + labels[std::size_t(v)];
    for (const std::string& word : around) label += " " + word;
    next.push_back(label + ")");
  }
  return next;
}

Words first_labels(const Graph& graph) {
  Words labels;
  for (const int label : graph.labels) labels.push_back(std::to_string(label));
  return labels;
}

double equal_pairs(const Words& a, const Words& b) {
  double count = 0;
  for (const auto& x : a)
    for (const auto& z : b) count += x == z;
  return count;
}

std::string joined(std::string a, std::string b, int between) {
  if (b < a) std::swap(a, b);
  return a + " " + std::to_string(between) + " " + b;
}

Words edges_of(const Graph& graph, const Words& labels) {
  Words words;
  for (const auto& e : graph.edges)
    words.push_back(joined(labels[std::size_t(e.from)], labels[std::size_t(e.to)], e.label));
  return words;
}

Words paths_of(const Graph& graph, const Words& labels) {  // Floyd–Warshall
  const int n = graph.nodes(), far = 1000;
  std::vector<std::vector<int>> d(std::size_t(n), std::vector<int>(std::size_t(n), far));
  const auto at = [&](int u, int v) -> int& { return d[std::size_t(u)][std::size_t(v)]; };
  for (int u = 0; u < n; ++u)
    for (int v = 0; v < n; ++v) at(u, v) = u == v ? 0 : graph.edge(u, v) >= 0 ? 1 : far;
  for (int k = 0; k < n; ++k)
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v) at(u, v) = std::min(at(u, v), at(u, k) + at(k, v));
  Words words;
  for (int u = 0; u < n; ++u)
    for (int v = u + 1; v < n; ++v)
      if (at(u, v) < far) words.push_back(joined(labels[std::size_t(u)], labels[std::size_t(v)], at(u, v)));
  return words;
}

double wl_by_texts(const Graph& x, const Graph& z, int iterations,
                   const std::function<Words(const Graph&, const Words&)>& base) {
  Words a = first_labels(x), b = first_labels(z);
  double sum = equal_pairs(base(x, a), base(z, b));
  for (int t = 0; t < iterations; ++t) {
    a = refined(x, a);
    b = refined(z, b);
    sum += equal_pairs(base(x, a), base(z, b));
  }
  return sum;
}

TEST(Wl, CountsEqualNeighbourhoods) {
  const auto nodes = [](const Graph&, const Words& labels) { return labels; };
  const auto list = random_graphs(20, 7, 1);
  for (const int h : {0, 1, 2, 3})
    expect_definition("wl(iterations=" + std::to_string(h) + ")", list,
                      [&](const Graph& x, const Graph& z) { return wl_by_texts(x, z, h, nodes); });
}

TEST(Wl, CountsEdgesAndPathsBetweenRefinedLabels) {
  const auto list = random_graphs(16, 6, 2);
  expect_definition("wl(iterations=2, base=edge)", list,
                    [](const Graph& x, const Graph& z) { return wl_by_texts(x, z, 2, edges_of); });
  expect_definition("wl(iterations=2, base=shortest_path)", list,
                    [](const Graph& x, const Graph& z) { return wl_by_texts(x, z, 2, paths_of); });
}

TEST(Wl, GivesEachFeatureAtItsNodes) {
  const Graph graph = random_graphs(9, 8, 3).back();
  for (const char* base : {"subtree", "edge", "shortest_path"}) {
    const WeisfeilerLehman kernel{.iterations = 2, .base = base};
    FeatureRow merged, parts(true);
    kernel.features(graphs({graph}), 0, merged);
    kernel.features(graphs({graph}), 0, parts);
    double sum = 0, sum_of_parts = 0;
    for (const auto& entry : merged.entries()) sum += entry.value;
    for (const auto& entry : parts.entries()) {
      sum_of_parts += entry.value;
      EXPECT_EQ(entry.part.end, entry.part.begin + 1);
      EXPECT_LT(entry.part.begin, std::uint32_t(graph.nodes()));
    }
    EXPECT_EQ(sum, sum_of_parts) << base;
    EXPECT_GT(sum, 0);
  }
}

TEST(Wl, TakesMoleculesAndRefusesWhatItCannotCompare) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { wl({.base = "walks"}); }),
            "wl: base must be subtree or shortest_path or edge, not walks");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { wl({.iterations = -1}); }),
            "wl: iterations must be a whole number from 0 to 100, not -1");
  if (!reads_molecules()) GTEST_SKIP() << "this build has no RDKit";
  const Objects molecules("m", Domain::molecule, std::vector<std::string>{"CCO", "OCC", "CC=O"});
  const std::vector<double> K = testing::gram_of("wl(iterations=1)", molecules);
  // CCO: C, C, O; then C(-C), C(-C)(-O), O(-C). CC=O shares its atoms and the first of these.
  EXPECT_EQ(K, (std::vector<double>{8, 8, 6, 8, 8, 6, 6, 6, 8}));
}

}  // namespace
}  // namespace mercer
