#include "data/molecules.hpp"
#include "data/scratch.hpp"
#include "mercer/read_rows.hpp"

namespace mercer {
namespace {

using testing::expect_same;
using testing::refusal;
using testing::Scratch;

TEST(Read, TheFormatByExtensionByContentOrByRequest) {
  const Scratch scratch;
  EXPECT_EQ(read(scratch.write("a.csv", "x,y\n1,2\n")).points.names(), std::vector<std::string>{"x"});
  EXPECT_EQ(read(scratch.write("a.tsv", "x\ty\n1\t2\n")).points.names(), std::vector<std::string>{"x"});
  EXPECT_EQ(read(scratch.write("a.txt", "1 1:2\n")).points.row(0), std::vector<double>{2});
  EXPECT_EQ(read(scratch.write("a", "x,z\n1,2\n")).points.cols(), 2u);
  EXPECT_EQ(read(scratch.write("a.csv", "1 1:2\n"), {.format = Format::libsvm}).points.row(0),
            std::vector<double>{2});
}

TEST(Read, RefusesWhatIsNoDataFile) {
  const Scratch scratch;
  EXPECT_NE(refusal([&] { read(scratch.path("none.csv")); }), "no error");
  EXPECT_EQ(refusal([&] { read(scratch.path("")); }),
            scratch.path("") +
                ": is a directory, and holds neither images (.png, .ppm, .pgm) nor graphs (NAME_A.txt); a "
                "data file is needed");
  const std::string empty = scratch.write("e.csv", "");
  EXPECT_EQ(refusal([&] { read(empty); }), empty + ":1:1: the file is empty; rows of data are needed");
  const std::string binary = scratch.write("b.svm", std::string("\x7f"
                                                                "ELF\0\0\0\1",
                                                                8));
  EXPECT_EQ(refusal([&] { read(binary); }),
            binary + ":1:5: a zero byte; this is a binary or UTF-16 file where UTF-8 text is needed");
}

TEST(Read, OnlyTablesHaveColumnsToLeaveOut) {
  const Scratch scratch;
  const std::string path = scratch.write("a.svm", "1 1:2\n");
  EXPECT_EQ(refusal([&] { read(path, {.drop = {"1"}}); }),
            path + ": column '1' cannot be dropped: only columns of a .csv or .tsv table can");
}

TEST(Read, TheSameForAnyNumberOfThreads) {
  const Scratch scratch;
  const Points points = testing::random_points<double>(20000, 6, 30);
  Dataset data{.points = points};
  data.target.task = Task::regression;
  Random random(31);
  for (std::size_t i = 0; i < points.rows(); ++i) data.target.values.push_back(random.normal());
  for (const char* name : {"d.csv", "d.svm", "d.npz"}) {
    write(scratch.path(name), data);
    const Dataset one = read(scratch.path(name), {.threads = 1});
    for (const int threads : {0, 2, 5}) expect_same(read(scratch.path(name), {.threads = threads}), one);
  }
}

using Rows = std::vector<std::size_t>;

TEST(LeftOut, CountsRowsAsTheFileDoes) {
  if (!reads_molecules()) GTEST_SKIP() << why_no_molecules();
  const testing::Scratch scratch;
  // Rows 1 and 4 have no target, and of the others rows 0 and 3 no molecule.
  const std::string path = scratch.write("t.csv", "m,y\nC1,1\nC,\nCC,2.5\nC1,3\nCO,\nCCC,4\nCN,1\n");
  Rows left_out;
  const ReadOptions options{
      .target = "y", .missing = Missing::automatic, .objects = {{"m", Domain::molecule}}, .skip_bad = true};
  EXPECT_EQ(read(path, options, left_out).target.values, (std::vector<double>{2.5, 4, 1}));
  EXPECT_EQ(left_out, (Rows{0, 1, 3, 4}));
}

TEST(LeftOut, OfAFileIsToldByRead) {
  const testing::Scratch scratch;
  const std::string path = scratch.write("t.csv", "x,y\n1,2\n,3\n4,5\n,6\n");
  Rows left_out{7};
  EXPECT_EQ(read(path, {.target = "y", .missing = Missing::drop}, left_out).rows(), 2u);
  EXPECT_EQ(left_out, (Rows{1, 3}));
  read(path, {.target = "y", .missing = Missing::mean}, left_out);
  EXPECT_TRUE(left_out.empty());
}

TEST(LeftOut, SetsWithoutALabel) {
  const testing::Scratch scratch;
  Rows left_out;
  read(scratch.write("t.sets", "a\tx y\n\tx\nb\ty\n"), {.missing = Missing::automatic}, left_out);
  EXPECT_EQ(left_out, (Rows{1}));
}

TEST(LeftOut, ImagesThatCannotBeRead) {
  const testing::Scratch scratch;
  for (const char* name : {"a.pgm", "b.pgm", "c.pgm"})
    scratch.write(name, name[0] == 'b' ? "P5 damaged" : "P2 1 1 9 5 ");
  Rows left_out;
  EXPECT_EQ(read(scratch.path(""), {.skip_bad = true}, left_out).rows(), 2u);
  EXPECT_EQ(left_out, (Rows{1}));
}

TEST(LeftOut, MembersOfSetsAreNoRows) {
  const testing::Scratch scratch;
  const std::string path = scratch.write("t.csv", "bag,x,y\na,1,0\na,,0\nb,2,1\nb,3,1\n");
  Rows left_out;
  EXPECT_EQ(read(path, {.target = "y", .missing = Missing::drop, .bag = "bag"}, left_out).rows(), 2u);
  EXPECT_TRUE(left_out.empty());
}

}  // namespace
}  // namespace mercer
