// Round trips through every format, and what a format cannot hold.
#include <fmt/format.h>

#include "data/density.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::random_points;
using testing::refusal;
using testing::same_points;
using testing::Scratch;

enum class Learn { nothing, classes, real };

Dataset random_data(const Points& points, Learn learn, std::uint64_t seed) {
  Random random(seed);
  Dataset data{.points = points};
  if (learn == Learn::classes) {
    data.target = testing::classes({"-1", "2.5", "long word", "ü"});
    if (points.rows() < 4) data.target.labels.resize(points.rows());
    for (std::size_t i = 0; i < points.rows(); ++i)  // every label appears: the first rows see to that
      data.target.codes.push_back(std::int32_t(i < 4 ? i : random.below(4)));
  }
  if (learn == Learn::real) {
    data.target.task = Task::regression;
    for (std::size_t i = 0; i < points.rows(); ++i) data.target.values.push_back(random.normal());
  }
  return data;
}

void check_round_trip(const Dataset& data, const std::string& extension) {
  const Scratch scratch;
  const std::string path = scratch.path("d." + extension);
  const bool svm = extension == "svm", with_target = data.target.task != Task::none;
  write(path, data);
  const ReadOptions options{.target = svm && !with_target ? "none" : "",
                            .task = data.target.task,
                            .precision = data.points.precision()};
  const Dataset back = read(path, options);
  const Points kept = svm                  ? data.points.to_sparse()
                      : extension == "npz" ? data.points
                                           : data.points.to_dense();
  const Points expected = mostly_non_zero(kept) ? kept.to_dense() : kept;
  EXPECT_TRUE(same_points(back.points, expected))
      << extension << " " << data.rows() << " × " << data.points.cols();
  EXPECT_EQ(back.target.task, data.target.task);
  EXPECT_EQ(back.target.labels, data.target.labels);
  EXPECT_EQ(back.target.codes, data.target.codes);
  EXPECT_EQ(back.target.values, data.target.values);
}

template <class T>
void check_size(std::size_t rows, std::size_t cols) {
  const Points dense = random_points<T>(rows, cols, rows * 31 + cols);
  for (const Points& points : {dense, dense.to_sparse()})
    for (const Learn learn : {Learn::nothing, Learn::classes, Learn::real})
      for (const char* extension : {"csv", "tsv", "svm", "npy", "npz"}) {
        Dataset data = random_data(points, learn, rows);
        const bool text = std::string(extension) != "npy" && std::string(extension) != "npz";
        if (text && rows == 0) continue;  // a text without rows is refused
        if (std::string(extension) == "npy" && (points.sparse() || learn != Learn::nothing)) continue;
        if (std::string(extension) == "svm" && learn == Learn::classes)
          for (std::string& label : data.target.labels) std::replace(label.begin(), label.end(), ' ', '_');
        check_round_trip(data, extension);
      }
}

TEST(Write, EveryFormatReadsBackBitForBit) {
  for (const std::size_t rows : {0, 1, 2, 7, 101})
    for (const std::size_t cols : {1, 2, 5}) {
      check_size<float>(rows, cols);
      check_size<double>(rows, cols);
    }
}

TEST(Write, TargetsOfSeveralColumns) {
  const Scratch scratch;
  for (const std::size_t rows : {1, 2, 7}) {
    Random random(rows);
    Dataset data{.points = random_points<double>(rows, 2, rows),
                 .target = testing::outputs({}, 3, "u,v w,x")};
    for (std::size_t i = 0; i < 3 * rows; ++i) data.target.values.push_back(random.normal());
    for (const char* name : {"d.csv", "d.tsv", "d.npz"}) {
      write(scratch.path(name), data);
      const Dataset back =
          read(scratch.path(name), {.target = std::string(name) == "d.npz" ? "" : "u,v w,x"});
      testing::expect_same(back, data);
    }
  }
  const Dataset unnamed{.points = Points({{1, 2}}), .target = testing::outputs({3, 4}, 2), .weights = {5}};
  write(scratch.path("u.csv"), unnamed);
  EXPECT_EQ(Scratch::read(scratch.path("u.csv")), "column 1,column 2,target1,target2,weight\n1,2,3,4,5\n");
  Dataset light = unnamed;
  light.weights.clear();
  EXPECT_EQ(refusal([&] { write("d.svm", light); }),
            "d.svm: LIBSVM text has one target, and the data have one of 2 columns; write .csv or .npz");
  light.target.values.push_back(5);
  EXPECT_EQ(refusal([&] { write("d.csv", light); }),
            "the target has 3 values, which are no rows of 2 columns");
}

TEST(Write, DataLargerThanAChunk) {
  check_round_trip(random_data(random_points<double>(9001, 8, 16), Learn::real, 17), "csv");
  check_round_trip(random_data(random_points<float>(9001, 8, 18), Learn::classes, 19), "tsv");
  check_round_trip(random_data(random_points<double>(9001, 8, 20).to_sparse(), Learn::real, 21), "svm");
  check_round_trip(random_data(random_points<double>(90001, 3, 22).to_sparse(), Learn::real, 23), "npz");
  check_round_trip(random_data(random_points<float>(90001, 3, 24), Learn::nothing, 25), "npy");
}

TEST(Write, NegativeZeroSurvivesTables) {
  const Scratch scratch;
  write(scratch.path("z.csv"), {.points = Points({{-0.0, 1}})});
  EXPECT_TRUE(std::signbit(read(scratch.path("z.csv")).points.row(0)[0]));
}

TEST(Write, TheNameTellsTheFormatUnlessItIsGiven) {
  const Scratch scratch;
  const Dataset data{.points = Points({{1, 2}})};
  write(scratch.path("d.data"), data, Format::csv);
  EXPECT_EQ(Scratch::read(scratch.path("d.data")), "column 1,column 2\n1,2\n");
  EXPECT_EQ(refusal([&] { write("d.data", data); }),
            "d.data: the name does not tell the format; end it in .csv, .tsv, .svm, .npy, .npz, .sets or "
            ".fa, or name "
            "the format");
}

TEST(Write, LengthsMustAgree) {
  const Points points({{1, 2}, {3, 4}});
  EXPECT_EQ(refusal([&] { write("d.csv", {.points = points, .target = testing::real({1})}); }),
            "the data set has 2 rows and 1 targets; one for each row is needed");
  EXPECT_EQ(refusal([&] { write("d.csv", {.points = points, .weights = {1}}); }),
            "the data set has 2 rows and 1 weights; one for each row is needed");
  Dataset wrong{.points = points, .target = testing::classes({"a"}, {0, 1})};
  EXPECT_EQ(refusal([&] { write("d.csv", wrong); }), "class code 1 is outside the 1 labels");
}

TEST(Write, AFailureLeavesNothingBehind) {
  const Scratch scratch;
  const Dataset data{.points = Points({{1, 2}}), .weights = {1}};
  for (const char* name : {"d.svm", "d.npy"}) {
    EXPECT_NE(refusal([&] { write(scratch.path(name), data); }), "no error");
    EXPECT_FALSE(std::filesystem::exists(scratch.path(name)));
  }
  EXPECT_NE(refusal([&] { write(scratch.path("no/folder.npz"), data); }), "no error");
  EXPECT_NE(refusal([&] { write(scratch.path("no/folder.csv"), data); }), "no error");
}

TEST(Write, RefusesObjectsWhereAFormatHoldsNumbersAlone) {
  const std::vector<std::string> texts{"ACGT"};
  const Dataset data{.points = Points(std::vector<std::vector<double>>{{1}})
                                   .with_objects({Objects("dna", Domain::sequence, texts)})};
  for (const std::string path : {"d.svm", "d.npy", "d.npz"})
    EXPECT_EQ(refusal([&] { write(path, data); }),
              path + ": column 'dna' holds sequences, which this format cannot; write .csv or .tsv");
}

}  // namespace
}  // namespace mercer
