#include "data/scratch.hpp"

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

}  // namespace
}  // namespace mercer
