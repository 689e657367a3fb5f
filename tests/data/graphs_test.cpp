#include <gtest/gtest.h>

#include <map>

#include "data/formats.hpp"
#include "data/scratch.hpp"
#include "kernels/random_graphs.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;
using testing::refusal;
using testing::Scratch;

using Files = std::map<std::string, std::string>;

/// A triangle, a graph without edges and one of one node with a loop, whose nodes stand in any order.
Files three() {
  return {{"A", "1, 2\n2, 1\n2, 4\n4,2\n1,4\n4 , 1\n5, 5\n"},
          {"graph_indicator", "1\n1\n2\n1\n3\n2\n"},
          {"graph_labels", "1\n-1\n1\n"},
          {"node_labels", "10\n20\n30\n40\n50\n60\n"},
          {"edge_labels", "7\n7\n8\n8\n9\n9\n0\n"}};
}

class GraphFolder {
 public:
  explicit GraphFolder(const Files& files) {
    for (const auto& [kind, text] : files) scratch_.write("G_" + kind + ".txt", text);
  }
  std::string path() const { return scratch_.path("."); }
  std::string file(const std::string& kind) const { return scratch_.path("./G_" + kind + ".txt"); }

 private:
  Scratch scratch_;
};

Dataset read_files(const Files& files, const ReadOptions& options = {}) {
  return read(GraphFolder(files).path(), options);
}

/// What is said behind the name of the file of this kind.
std::string said_of(const std::string& kind, const Files& files, const ReadOptions& options = {}) {
  const GraphFolder folder(files);
  const std::string said = refusal([&] { read(folder.path(), options); });
  const std::string name = folder.file(kind);
  return said.starts_with(name) ? said.substr(name.size()) : said;
}

Files changed(const std::string& kind, const std::string& text) {
  Files files = three();
  files[kind] = text;
  return files;
}

template <class T>
std::vector<T> list(const Buffer<T>& buffer) {
  return {buffer.begin(), buffer.end()};
}
using Ints = std::vector<std::int32_t>;
using Sizes = std::vector<std::size_t>;

TEST(GraphsReader, StoresEachEdgeOnceAndNodesByGraph) {
  const Dataset data = read_files(three());
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.points.cols(), 0u);
  ASSERT_EQ(data.points.objects().size(), 1u);
  EXPECT_EQ(data.points.objects()[0].name(), "graph");
  EXPECT_EQ(data.points.objects()[0].domain(), Domain::graph);
  const Graphs& graphs = data.points.objects()[0].graphs();
  EXPECT_EQ(list(graphs.nodes), (Sizes{0, 3, 5, 6}));
  EXPECT_EQ(list(graphs.node_labels), (Ints{10, 20, 40, 30, 60, 50}));
  EXPECT_EQ(list(graphs.edges), (Sizes{0, 3, 3, 4}));
  EXPECT_EQ(list(graphs.from), (Ints{0, 0, 1, 0}));
  EXPECT_EQ(list(graphs.to), (Ints{1, 2, 2, 0}));
  EXPECT_EQ(list(graphs.edge_labels), (Ints{7, 9, 8, 0}));
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{1, 0, 1}));
  ASSERT_EQ(data.schema.columns.size(), 1u);
  EXPECT_EQ(data.schema.columns[0].name, "graph");
  EXPECT_EQ(data.schema.columns[0].objects, Domain::graph);
}

TEST(GraphsReader, TakesFilesWithoutLabelsAndEdges) {
  const Dataset bare = read_files({{"A", ""}, {"graph_indicator", "1\r\n3\r\n"}});
  EXPECT_EQ(bare.rows(), 3u);
  EXPECT_EQ(bare.target.task, Task::none);
  EXPECT_EQ(list(bare.points.objects()[0].graphs().nodes), (Sizes{0, 1, 1, 2}));
  EXPECT_EQ(list(bare.points.objects()[0].graphs().node_labels), (Ints{0, 0}));
  const Dataset empty = read_files({{"A", "\n"}, {"graph_indicator", ""}, {"graph_labels", "a\nb\n"}});
  EXPECT_EQ(empty.rows(), 2u);
  EXPECT_EQ(empty.target.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_files(three(), {.target = "none"}).target.task, Task::none);
}

TEST(GraphsReader, TakesEdgesInOneDirectionAndTwice) {
  const Dataset data = read_files(changed("A", "1,2\n1,2\n4,2\n2,4\n1,4\n1,4\n5,5\n"));
  const Graphs& graphs = data.points.objects()[0].graphs();
  EXPECT_EQ(list(graphs.edges), (Sizes{0, 3, 3, 4}));
}

TEST(GraphsReader, LearnsNumbersWhereThereAreNoClasses) {
  Files files = three();
  files["graph_attributes"] = "1.5, 2\n-1, 3\n0.25, 4\n";
  EXPECT_EQ(read_files(files).target.task, Task::classification);
  EXPECT_EQ(read_files(files, {.task = Task::regression}).target.outputs, 2u);
  files.erase("graph_labels");
  const Target target = read_files(files).target;
  EXPECT_EQ(target.task, Task::regression);
  EXPECT_EQ(target.values, (std::vector<double>{1.5, 2, -1, 3, 0.25, 4}));
  EXPECT_NE(said_of("", files, {.task = Task::classification}).find("holds numbers, not classes"),
            std::string::npos);
  EXPECT_EQ(read_files(three(), {.task = Task::regression}).target.values, (std::vector<double>{1, -1, 1}));
}

TEST(GraphsReader, KeepsTheAttributesOfNodes) {
  const Dataset data =
      read_files(changed("node_attributes", "1, 1.5\n2, 2.5\n3, 3.5\n4, 4.5\n5, 5.5\n6, 6.5\n"));
  const Graphs& graphs = data.points.objects()[0].graphs();
  EXPECT_EQ(graphs.attributes, 2u);
  EXPECT_EQ(list(graphs.node_attributes),
            (std::vector<double>{1, 1.5, 2, 2.5, 4, 4.5, 3, 3.5, 6, 6.5, 5, 5.5}));
}

TEST(GraphsReader, SaysWhereAFileIsWrong) {
  EXPECT_EQ(said_of("edge_labels", changed("A", "1, 2\n2, 4\n")),
            ":3:1: the file has 7 lines, but there are 2 edges; a line for each is needed");
  Files files = three();
  files.erase("edge_labels");
  const auto edges = [&](const std::string& text) {
    files["A"] = text;
    return said_of("A", files);
  };
  EXPECT_EQ(edges("1, 2\n2, 7\n"), ":2:4: '7' is no node; a whole number from 1 to 6 is needed");
  EXPECT_EQ(edges("1, 2\n0, 1\n"), ":2:1: '0' is no node; a whole number from 1 to 6 is needed");
  EXPECT_EQ(edges("1, 2\n1 2\n"),
            ":2:1: '1 2' is no edge; write the numbers of its two nodes with a comma between them");
  EXPECT_EQ(edges("1, 2\n\n1, 2\n"),
            ":2:1: '' is no edge; write the numbers of its two nodes with a comma between them");
  EXPECT_EQ(edges("1, 2, 3\n"), ":1:4: '2, 3' is no node; a whole number from 1 to 6 is needed");
  EXPECT_EQ(edges("1, x\n"), ":1:4: 'x' is no node; a whole number from 1 to 6 is needed");
  EXPECT_EQ(edges("1, 99999999999999999999\n"),
            ":1:4: '99999999999999999999' is no node; a whole number from 1 to 6 is needed");
  EXPECT_EQ(edges("1, 2\n2, 3\n"),
            ":2:1: node 2 is of graph 1 and node 3 of graph 2; an edge joins nodes of one graph");
  EXPECT_EQ(said_of("edge_labels", changed("edge_labels", "7\n7\n8\n6\n9\n9\n0\n")),
            ":4:1: the edge has label 6, but 8 on line 3; an edge has one label in both directions");
  EXPECT_EQ(said_of("edge_labels", changed("edge_labels", "7\n")),
            ":1:1: the file has 1 lines, but there are 7 edges; a line for each is needed");
  EXPECT_EQ(said_of("node_labels", changed("node_labels", "1\n2\n3\n4\n5\n6\n7\n")),
            ":7:1: the file has 7 lines, but there are 6 nodes; a line for each is needed");
  EXPECT_EQ(said_of("node_labels", changed("node_labels", "")),
            ":1: the file has 0 lines, but there are 6 nodes; a line for each is needed");
  EXPECT_EQ(said_of("node_labels", changed("node_labels", "1\n2\nC\n4\n5\n6\n")),
            ":3:1: 'C' is no label of a node; a whole number from -2147483648 to 2147483647 is needed");
  EXPECT_EQ(said_of("graph_indicator", changed("graph_indicator", "1\n1\n2\n1\n4\n2\n")),
            ":5:1: '4' is no number of a graph; a whole number from 1 to 3 is needed");
  EXPECT_EQ(said_of("node_attributes", changed("node_attributes", "1,2\n1,2\n1\n1,2\n1,2\n1,2\n")),
            ":3:1: there are 1 numbers, but 2 on the first line; each line needs as many");
  EXPECT_NE(said_of("node_attributes", changed("node_attributes", "1\n1\nx\n1\n1\n1\n")).find(":3:1: "),
            std::string::npos);
  EXPECT_NE(said_of("node_attributes", changed("node_attributes", "1\n1\nnan\n1\n1\n1\n")).find(":3:1:"),
            std::string::npos);
  EXPECT_EQ(said_of("graph_attributes", changed("graph_attributes", "1\n2\n")),
            ":2:1: the file has 2 lines, but there are 3 graphs; a line for each is needed");
}

TEST(GraphsReader, RefusesFoldersThatAreNone) {
  const Scratch scratch;
  EXPECT_EQ(refusal([&] { read(scratch.path("."), {.format = Format::graphs}); }),
            scratch.path(".") + ": there is no file NAME_A.txt with the edges; a folder of graphs needs one");
  scratch.write("b_A.txt", "");
  EXPECT_NE(refusal([&] { read(scratch.path(".")); }).find("b_graph_indicator.txt: cannot be opened"),
            std::string::npos);
  scratch.write("b_graph_indicator.txt", "");
  EXPECT_NE(refusal([&] { read(scratch.path(".")); }).find("b_graph_indicator.txt:1: the file is empty"),
            std::string::npos);
  scratch.write("a_A.txt", "");
  EXPECT_NE(refusal([&] {
              read(scratch.path("."));
            }).find("there are graphs of several names: 'a', 'b'; keep each in a folder of its own"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              read(scratch.path("a_A.txt"), {.format = Format::graphs});
            }).find("cannot be read as a folder"),
            std::string::npos);
  EXPECT_NE(said_of("", {{"A", ""}, {"graph_indicator", "1\n99999999999\n"}})
                .find("a whole number from 1 to 1000002 is needed"),
            std::string::npos);
}

TEST(GraphsReader, RefusesOptionsOfTables) {
  EXPECT_NE(said_of("", three(), {.target = "y"})
                .find("target 'y' was asked for, but that of graphs is in the folder's files"),
            std::string::npos);
  EXPECT_NE(said_of("", three(), {.weights = "w"})
                .find("weights 'w' were asked for, but a folder of graphs has none"),
            std::string::npos);
  EXPECT_NE(said_of("", three(), {.drop = {"1"}}).find("column '1' cannot be dropped"), std::string::npos);
  const Schema other{.columns = {{.name = "x", .categories = {}}}, .target = "", .weights = ""};
  EXPECT_NE(
      said_of("", three(), {.schema = &other}).find("holds graphs, but other columns were learned from"),
      std::string::npos);
  const Schema same = read_files(three()).schema;
  EXPECT_EQ(read_files(three(), {.schema = &same}).rows(), 3u);
}

TEST(GraphsReader, SurvivesDamage) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    Files files = three();
    auto damaged = files.begin();
    std::advance(damaged, random.below(files.size()));
    testing::damage(damaged->second, "0123456789,-\n .x", random);
    refusal([&] { read_files(files); });  // no crash
  }
}

TEST(GraphsReader, ReadsThePublicFolders) {
  const auto folder = testing::public_data();
  if (folder.empty()) GTEST_SKIP() << "the folder of public data is missing; set MERCER_DATA";
  const Dataset data = read((folder / "graph_MUTAG").string());
  EXPECT_EQ(data.rows(), 188u);
  const Graphs& graphs = data.points.objects()[0].graphs();
  EXPECT_EQ(graphs.nodes[188], 3371u);
  EXPECT_EQ(graphs.edges[188], 3721u);  // half of the 7442 lines
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"-1", "1"}));
}

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
