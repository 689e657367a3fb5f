#include "mercer/read_rows.hpp"

#include <numeric>

#include "data/molecules.hpp"
#include "data/scratch.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/scaling.hpp"

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

// --- Rows on disk ---

/// Writes rows in some format, and reads them into memory and onto the disk.
void expect_same_on_disk(const std::string& name, const Dataset& data, const ReadOptions& options) {
  const testing::Scratch scratch;
  const std::string path = scratch.path(name);
  write(path, data);
  const Dataset held = read(path, options);
  const DiskArrays scope(scratch.path(""), 4 << 20);
  const Dataset streamed = read(path, options);
  EXPECT_FALSE(on_disk(held.points));
  EXPECT_TRUE(on_disk(streamed.points));
  EXPECT_EQ(memory_of(streamed.points), std::size_t(4 << 20));
  EXPECT_EQ(memory_of(held.points), held.points.bytes());
  testing::expect_same(held, streamed);
  const Scaling scaling = Scaling::fit(Scaling::Kind::standard, streamed.points);
  const Points scaled = scaling.apply(streamed.points);
  EXPECT_TRUE(on_disk(scaled));
  EXPECT_TRUE(testing::same_points(scaled, scaling.apply(held.points)));
  const auto estimate = double(estimated_bytes(path, options));
  // Of LIBSVM text before it is known to be dense.
  EXPECT_GT(estimate, 0.9 * double(held.points.bytes())) << name;
  EXPECT_LT(estimate, 1.5 * double(held.points.bytes())) << name;
}

Dataset many_rows() {
  Dataset data{.points = testing::random_points<double>(40'000, 7, 3)};
  data.target.task = Task::regression;
  for (std::size_t i = 0; i < data.rows(); ++i) data.target.values.push_back(0.5 + double(i % 1000));
  data.target.name = "y";
  return data;
}

TEST(OnDisk, RowsOfATableAreTheSame) { expect_same_on_disk("t.csv", many_rows(), {.target = "y"}); }
TEST(OnDisk, RowsOfLibsvmTextAreTheSame) { expect_same_on_disk("t.svm", many_rows(), {}); }
TEST(OnDisk, RowsOfAnArrayAreTheSame) {
  Dataset data = many_rows();
  data.target = {};
  expect_same_on_disk("t.npy", data, {});
}
TEST(OnDisk, SparseRowsAreTheSame) {
  Dataset data = many_rows();
  Sparse<double> sparse{data.rows(), 100, Buffer<std::size_t>(data.rows() + 1),
                        Buffer<std::int32_t>(4 * data.rows()), Buffer<double>(4 * data.rows())};
  Random random(5);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    sparse.starts[i] = 4 * i;
    for (std::size_t k = 0; k < 4; ++k) {
      sparse.indices[4 * i + k] = std::int32_t(25 * k + random.below(25));
      sparse.values[4 * i + k] = 1 + double(random.below(1000));
    }
  }
  sparse.starts[data.rows()] = 4 * data.rows();
  sparse.indices[3] = 99;
  data.points = Points(std::move(sparse));
  expect_same_on_disk("t.svm", data, {});
}

TEST(OnDisk, MostOfTheRowsStayThereAndSomeDoNot) {
  const testing::Scratch scratch;
  const DiskArrays scope(scratch.path(""), 4 << 20);
  const Points points = testing::random_points<double>(100'000, 4, 1);
  std::vector<std::size_t> all(points.rows()), some(points.rows() / 8);
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::iota(some.begin(), some.end(), std::size_t(0));
  EXPECT_TRUE(on_disk(points.select_rows(all)));
  EXPECT_FALSE(on_disk(points.select_rows(some)));
}

TEST(OnDisk, WhatIsUnpackedInMemoryIsRefused) {
  const testing::Scratch scratch;
  const DiskArrays scope(scratch.path(""), 4 << 20);
  write(scratch.path("t.npz"), many_rows());
  EXPECT_NE(testing::refusal([&] {
              read(scratch.path("t.npz"));
            }).find("rows can be kept on disk of a .csv, .tsv, LIBSVM or .npy file"),
            std::string::npos);
  const std::string windows = scratch.write("w.csv", "name,x\nM\xfcller,1\nMaier,2\n");
  EXPECT_NE(testing::refusal([&] { read(windows); }).find("the text has to be rewritten"), std::string::npos);
}

TEST(EstimatedBytes, AreUnknownOfOtherFiles) {
  const testing::Scratch scratch;
  EXPECT_EQ(estimated_bytes("-", {}), 0u);
  EXPECT_EQ(estimated_bytes(scratch.path(""), {}), 0u);
  EXPECT_EQ(estimated_bytes(scratch.write("e.csv", ""), {}), 0u);
}

}  // namespace
}  // namespace mercer
