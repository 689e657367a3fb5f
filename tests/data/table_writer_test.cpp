#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

Points named(const std::vector<std::string>& names) {
  Dense<double> dense{1, names.size(), Buffer<double>(names.size(), 0.5)};
  return Points(std::move(dense), names);
}

TEST(TableWriter, QuotesWhereTheyAreNeeded) {
  const Scratch scratch;
  const std::string path = scratch.path("d.csv");
  Dataset data{.points = named({"plain", "with,comma", "say \"hi\"", " edge"})};
  data.target = testing::classes({"two\nlines"}, {0}, "y");
  data.weights = {2};
  data.schema.weights = "importance";
  write(path, data);
  EXPECT_EQ(
      Scratch::read(path),
      "plain,\"with,comma\",\"say \"\"hi\"\"\",\" edge\",y,importance\n0.5,0.5,0.5,0.5,\"two\nlines\",2\n");
  const Dataset back = read(path, {.weights = "importance"});
  EXPECT_EQ(back.points.names(), data.points.names());
  EXPECT_EQ(back.target.labels, data.target.labels);
  EXPECT_EQ(back.weights, data.weights);
}

TEST(TableWriter, NamesThatAreNumbersReadBackAsNames) {
  const Scratch scratch;
  const std::string path = scratch.path("d.csv");
  write(path, {.points = named({"1", "2"})});
  EXPECT_EQ(Scratch::read(path), "\"1\",\"2\"\n0.5,0.5\n");
  EXPECT_EQ(read(path).points.names(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(read(path).rows(), 1u);
}

TEST(TableWriter, PutsTextsBetweenTheNumbersAndTheTarget) {
  const Scratch scratch;
  const std::string path = scratch.path("d.csv");
  const std::vector<std::string> texts{"a, \"b\"", "", "NA"}, sequences{"ACGT", "A\tC", "12"};
  Dataset data{.points = Points({{1}, {2}, {3}})
                             .with_objects({Objects("text", Domain::text, texts),
                                            Objects("dna", Domain::sequence, sequences)})};
  data.target = testing::classes({"no", "yes"}, {0, 1, 1}, "y");
  data.weights = {1, 1, 2};
  write(path, data);
  EXPECT_EQ(
      Scratch::read(path),
      "column 1,text,dna,y,weight\n1,\"a, \"\"b\"\"\",ACGT,no,1\n2,\"\",A\tC,yes,1\n3,\"NA\",12,yes,2\n");
  write(scratch.path("d.tsv"), {.points = Points(Objects("dna", Domain::sequence, sequences))});
  EXPECT_EQ(Scratch::read(scratch.path("d.tsv")), "dna\nACGT\n\"A\tC\"\n12\n");
}

TEST(TableWriter, RefusesWhatATableCannotHold) {
  EXPECT_EQ(refusal([&] {
              write("d.csv",
                    {.points = Points({{1}, {2}})
                                   .with_objects({Objects("g", Domain::vectors,
                                                          Bags{Buffer<std::size_t>(3, 0), 0, {}})})});
            }),
            "d.csv: column 'g' holds sets of vectors, which a cell of a table cannot");
  Dataset data{.points = named({"a", "target"})};
  data.target = testing::real({1});
  EXPECT_EQ(refusal([&] { write("d.csv", data); }),
            "d.csv: two columns are called 'target'; give each its own name");
  data.target = testing::classes({"NA"}, {0}, "y");
  EXPECT_EQ(refusal([&] { write("d.csv", data); }),
            "d.csv: label 'NA' would read back as a missing value; rename it, or write .npz");
  data.target = {};
  data.queries = {1};
  EXPECT_EQ(refusal([&] { write("d.csv", data); }), "d.csv: a table cannot hold LIBSVM's qid; write .svm");
  EXPECT_EQ(refusal([&] {
              write("d.csv", {.points = named({"a", ""})});
            }),
            "d.csv: a column has no name; give it one, or leave all columns unnamed");
  EXPECT_EQ(refusal([&] { write("d.csv", {}); }), "d.csv: there are no columns to write; a table needs one");
}

}  // namespace
}  // namespace mercer
