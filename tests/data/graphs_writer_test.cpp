#include <gtest/gtest.h>

#include "data/scratch.hpp"
#include "data/writers.hpp"
#include "kernels/random_graphs.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;
using testing::refusal;
using testing::Scratch;

void expect_same_graphs(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.rows(), b.rows());
  const Graphs &x = a.points.objects()[0].graphs(), &z = b.points.objects()[0].graphs();
  EXPECT_TRUE(testing::same_bits(x.nodes, z.nodes) && testing::same_bits(x.edges, z.edges) &&
              testing::same_bits(x.node_labels, z.node_labels));
  EXPECT_TRUE(testing::same_bits(x.from, z.from) && testing::same_bits(x.to, z.to) &&
              testing::same_bits(x.edge_labels, z.edge_labels));
  EXPECT_TRUE(testing::same_bits(x.node_attributes, z.node_attributes));
  EXPECT_EQ(a.target.labels, b.target.labels);
  EXPECT_EQ(a.target.codes, b.target.codes);
  EXPECT_EQ(a.target.values, b.target.values);
}

Dataset of(const std::vector<Graph>& list, Target target) {
  Dataset data;
  data.points = Points(graphs(list));
  data.target = std::move(target);
  return data;
}

TEST(GraphsWriter, WritesWhatReadsBack) {
  const Scratch scratch;
  const auto list = testing::random_graphs(9, 5, 1);
  std::vector<double> values;
  for (int i = 0; i < 9; ++i) values.push_back(0.1 * i);
  const Dataset classed = of(list, testing::classes({"no", "yes"}, {0, 1, 0, 1, 0, 1, 0, 1, 0})),
                measured = of(list, testing::real(values));
  write(scratch.path("c"), classed);
  write(scratch.path("m/"), measured, Format::graphs);
  expect_same_graphs(read(scratch.path("c")), classed);
  expect_same_graphs(read(scratch.path("m")), measured);
  EXPECT_EQ(Scratch::read(scratch.path("c/c_graph_labels.txt")).substr(0, 7), "no\nyes\n");
}

TEST(GraphsWriter, WritesEdgesInBothDirectionsAndNoLabelsWhereThereAreNone) {
  const Scratch scratch;
  write(scratch.path("g"), of({Graph{{0}, {{0, 0, 0}}}, Graph{{0, 0}, {{0, 1, 0}}}}, {}));
  EXPECT_EQ(Scratch::read(scratch.path("g/g_A.txt")), "1, 1\n2, 3\n3, 2\n");
  EXPECT_EQ(Scratch::read(scratch.path("g/g_graph_indicator.txt")), "1\n2\n2\n");
  for (const char* kind :
       {"node_labels", "edge_labels", "graph_labels", "graph_attributes", "node_attributes"})
    EXPECT_FALSE(std::filesystem::exists(scratch.path(std::string("g/g_") + kind + ".txt"))) << kind;
}

TEST(GraphsWriter, KeepsAttributes) {
  const Scratch scratch;
  scratch.write("G_A.txt", "1,2\n");
  scratch.write("G_graph_indicator.txt", "1\n1\n");
  scratch.write("G_node_attributes.txt", "0.1, 1e-300\n2, 3\n");
  const Dataset data = read(scratch.path("."));
  write(scratch.path("copy"), data);
  expect_same_graphs(read(scratch.path("copy")), data);
}

TEST(GraphsWriter, RefusesWhatAFolderOfGraphsCannotHold) {
  const Scratch scratch;
  const Dataset data = generate("ring_graphs", {.n = 3});
  const std::string path = scratch.path("g");
  EXPECT_EQ(refusal([&] { write("-", data, Format::graphs); }),
            "standard output: graphs are written as a folder; name one");
  EXPECT_EQ(refusal([&] {
              write(path, Dataset{.points = testing::random_points<double>(2, 1, 1)}, Format::graphs);
            }),
            path + ": a folder of graphs holds one column of graphs and nothing else");
  Dataset weighed = data;
  weighed.weights = {1, 2, 3};
  EXPECT_EQ(refusal([&] { write(path, weighed); }), path + ": a folder of graphs has no weights or queries");
  Dataset broken = data;
  broken.target.labels[0] = "a\nb";
  EXPECT_NE(refusal([&] { write(path, broken); }).find("cannot be a line of a file"), std::string::npos);
  EXPECT_EQ(refusal([&] {
              write(path, of({Graph{{0}, {}}, Graph{}}, {}));
            }),
            path + ": the last graph has no nodes and no label, so that the files could not tell it");
  EXPECT_NE(refusal([&] {
              write(scratch.path("g.csv"), data, Format::csv);
            }).find("graphs are written as a folder"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
  write(path, data);
  EXPECT_EQ(refusal([&] { write(path, data); }), path + ": exists already; name a folder that does not");
}

}  // namespace
}  // namespace mercer
