#include "data/npy_bytes.hpp"
#include "data/numpy.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes_of;
using testing::npy;
using testing::refusal;
using testing::Scratch;
using testing::zip;

NpyArray open_array(const std::string& bytes) {
  NpyHeader header = parse_npy_header("f", bytes, bytes.size());
  std::string rest = bytes.substr(header.header_bytes);
  return NpyArray("f", std::move(header),
                  [rest](std::size_t size) { return std::string_view(rest).substr(0, size); });
}

Parts two_rows() {
  Parts parts;
  parts.storage = read_points(open_array(npy("<f8", "(2, 1)", bytes_of<double>({1, 2}))), {});
  return parts;
}

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ArrayParts, TargetsThatAreMissing) {
  const std::string target = npy("<f8", "(2,)", bytes_of<double>({nan, 5}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {}, "y", parts); }),
            "f: row 1 is nan; use a finite number, or set missing to drop");
  const ReadOptions options{.missing = Missing::drop};
  read_target(open_array(target), options, "y", parts);
  const Dataset data = assemble_arrays(std::move(parts), options, "f");
  EXPECT_EQ(data.rows(), 1u);
  EXPECT_EQ(data.target.labels, std::vector<std::string>{"5"});
}

TEST(ArrayParts, AMatrixIsATargetOfSeveralColumns) {
  const std::string target = npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, nan}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {}, "y", parts); }),
            "f: row 2 is nan; use a finite number, or set missing to drop");
  EXPECT_EQ(
      refusal([&] { read_target(open_array(target), {.task = Task::classification}, "y", parts); }),
      "f: a target of 3 columns is one of numbers, not of classes; give one column, or set the task to real");
  const ReadOptions options{.missing = Missing::drop};
  read_target(open_array(target), options, "y", parts);
  const Target read = assemble_arrays(std::move(parts), options, "f").target;
  EXPECT_EQ(read.values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(read.outputs, 3u);
  EXPECT_EQ(read.name, "y");
  Parts fortran = two_rows();
  read_target(open_array(npy("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 3, 2, 4}), true)), {}, "", fortran);
  EXPECT_EQ(assemble_arrays(std::move(fortran), {}, "f").target.values, (std::vector<double>{1, 2, 3, 4}));
  Parts flat = two_rows();  // a list that lies on its side is still a list
  read_target(open_array(npy("<f8", "(1, 2)", bytes_of<double>({0.5, 0.75}))), {}, "", flat);
  EXPECT_EQ(assemble_arrays(std::move(flat), {}, "f").target.outputs, 1u);
  Parts wrong = two_rows();
  EXPECT_EQ(
      refusal([&] { read_target(open_array(npy("<f8", "(3, 2)", std::string(48, 0))), {}, "y", wrong); }),
      "f: the array has shape (3, 2); numbers, one per row, are a list");
}

TEST(ArrayParts, TextsAreClassesAsTheyStand) {
  Parts parts = two_rows();
  const std::string target = npy("|S2", "(2,)",
                                 std::string("1\0"
                                             "01",
                                             4));
  read_target(open_array(target), {}, "y", parts);
  EXPECT_EQ(assemble_arrays(std::move(parts), {}, "f").target.labels, (std::vector<std::string>{"01", "1"}));
  Parts again = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {.task = Task::regression}, "y", again); }),
            "f: the target is text; a real target needs numbers");
}

TEST(ArrayParts, WeightsThatAreMissing) {
  const std::string weights = npy("<f8", "(2,)", bytes_of<double>({1, HUGE_VAL}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_weights(open_array(weights), {}, parts); }),
            "f: row 2 is inf; use a finite number, or set missing to drop");
  Parts other = two_rows();
  read_weights(open_array(weights), {.missing = Missing::drop}, other);
  EXPECT_EQ(assemble_arrays(std::move(other), {.missing = Missing::drop}, "f").weights,
            std::vector<double>{1});
}

TEST(NpyReader, PointsWithATargetAndWeightsBesideThem) {
  const Scratch scratch;
  const std::string points =
      scratch.write("X.npy", npy("<f4", "(3, 2)", bytes_of<float>({1, 2, 3, 4, 5, 6})));
  const std::string target = scratch.write("y.npy", npy("|u1", "(3,)", std::string("\1\0\1", 3)));
  const std::string weights = scratch.write("w.npy", npy("<f8", "(3,)", bytes_of<double>({1, 0.5, 2})));
  const Dataset data = read(points, {.target = target, .weights = weights});
  EXPECT_EQ(data.points.row(2), (std::vector<double>{5, 6}));
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(data.weights, (std::vector<double>{1, 0.5, 2}));
  EXPECT_EQ(read(points).target.task, Task::none);
  EXPECT_EQ(read(points, {.precision = Precision::float32}).points.precision(), Precision::float32);
}

TEST(NpyReader, MissingNumbers) {
  const Scratch scratch;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string path = scratch.write("X.npy", npy("<f8", "(2, 2)", bytes_of<double>({1, nan, 3, 4})));
  EXPECT_EQ(refusal([&] { read(path); }),
            path + ": row 1, column 2 is nan; use a finite number, or set missing to mean or drop");
  EXPECT_EQ(read(path, {.missing = Missing::mean}).points.row(0), (std::vector<double>{1, 4}));
  EXPECT_EQ(read(path, {.missing = Missing::drop}).points.row(0), (std::vector<double>{3, 4}));
}

TEST(NpyReader, TruncationIsNoticed) {
  const Scratch scratch;
  const std::string whole = npy("<f8", "(2, 2)", bytes_of<double>({1, 2, 3, 4}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string path = scratch.write("X.npy", whole.substr(0, size));
    EXPECT_NE(refusal([&] { read(path); }), "no error") << size;
  }
  EXPECT_EQ(read(scratch.write("X.npy", whole)).rows(), 2u);
}

TEST(NpyReader, ReadsPublicData) {
  const auto folder = testing::public_data();
  if (folder.empty()) GTEST_SKIP() << "the folder of public data is missing; set MERCER_DATA";
  const Dataset data =
      read((folder / "mnist" / "X_test.npy").string(),
           {.target = (folder / "mnist" / "y_test.npy").string(), .precision = Precision::float32});
  EXPECT_EQ(data.rows(), 10000u);
  EXPECT_EQ(data.points.cols(), 784u);
  EXPECT_EQ(data.target.labels.size(), 10u);
}

using Files = std::vector<std::pair<std::string, std::string>>;

const std::string matrix = npy("<f8", "(2, 2)", bytes_of<double>({1, 2, 3, 4}));

Dataset read_zip(const Files& files, const ReadOptions& options = {}) {
  const Scratch scratch;
  return read(scratch.write("f.npz", zip(files)), options);
}

std::string read_refusal(const Files& files, const ReadOptions& options = {}) {
  const Scratch scratch;
  const std::string path = scratch.write("f.npz", zip(files));
  std::string message = refusal([&] { read(path, options); });
  if (message.starts_with(path)) message.erase(1, path.size() - 1).front() = 'f';
  return message;
}

TEST(NpzReader, PointsTargetAndWeights) {
  const std::string labels = npy("<U1", "(2,)", bytes_of<char32_t>({'b', 'a'}));
  const Dataset data = read_zip(
      {{"X.npy", matrix}, {"y.npy", labels}, {"w.npy", npy("<i4", "(2,)", bytes_of<std::int32_t>({3, 4}))}});
  EXPECT_EQ(data.points.row(1), (std::vector<double>{3, 4}));
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(data.target.name, "y");
  EXPECT_EQ(data.weights, (std::vector<double>{3, 4}));
  EXPECT_EQ(read_zip({{"X.npy", matrix}, {"y.npy", labels}}, {.target = "none"}).target.task, Task::none);
}

TEST(NpzReader, TheOnlyMatrixIsThePoints) {
  const std::string target = npy("<f8", "(2,)", bytes_of<double>({0.5, 7}));
  const Dataset data = read_zip({{"t.npy", target}, {"features.npy", matrix}}, {.target = "t"});
  EXPECT_EQ(data.target.values, (std::vector<double>{0.5, 7}));
  EXPECT_EQ(read_refusal({{"a.npy", matrix}, {"b.npy", matrix}}),
            "f: any of 'a', 'b' could be the points; call them X");
  EXPECT_EQ(read_refusal({{"a.npy", target}}),
            "f: there is no matrix of rows; call it X (the arrays are 'a')");
}

TEST(NpzReader, TheTargetMayBeAMatrix) {
  for (const char* points : {"X.npy", "features.npy"}) {  // the target is not taken for the points
    const Dataset data =
        read_zip({{points, matrix}, {"y.npy", npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6}))}});
    EXPECT_EQ(data.points.row(1), (std::vector<double>{3, 4}));
    EXPECT_EQ(data.target.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(data.target.outputs, 3u);
  }
}

TEST(NpzReader, LengthsMustAgree) {
  EXPECT_EQ(read_refusal({{"X.npy", matrix}, {"y.npy", npy("|u1", "(3,)", "abc")}}),
            "f: array 'y': there are 3 values for 2 rows; one for each row is needed");
  EXPECT_EQ(read_refusal({{"X.npy", matrix}, {"w.npy", npy("<f8", "(2,)", bytes_of<double>({1, -1}))}}),
            "f: array 'w': row 2 is -1; weights are 0 or more");
  EXPECT_EQ(read_refusal({{"X.npy", matrix}}, {.target = "t"}),
            "f: array 't': it is not in the file; the arrays are 'X'");
}

Files csr(const std::string& indices, const std::string& starts, const std::string& format = "csr",
          const std::vector<std::int64_t>& shape = {2, 5}) {
  return {{"indices.npy", npy("<i4", "(3,)", indices)},
          {"indptr.npy", npy("<i4", "(3,)", starts)},
          {"format.npy", npy("|S3", "()", format)},
          {"shape.npy", npy("<i8", "(2,)", bytes_of(shape))},
          {"data.npy", npy("<f8", "(3,)", bytes_of<double>({7, 8, 9}))}};
}

TEST(NpzReader, SparseMatricesOfScipy) {
  const std::string starts = bytes_of<std::int32_t>({0, 2, 3});
  const Dataset data = read_zip(csr(bytes_of<std::int32_t>({4, 1, 0}), starts));  // a row in no order
  EXPECT_TRUE(data.points.sparse());
  EXPECT_EQ(data.points.row(0), (std::vector<double>{0, 8, 0, 0, 7}));
  EXPECT_EQ(data.points.row(1), (std::vector<double>{9, 0, 0, 0, 0}));
  // Mostly non-zero.
  const Dataset full = read_zip(csr(bytes_of<std::int32_t>({1, 0, 0}), starts, "csr", {2, 2}));
  EXPECT_FALSE(full.points.sparse());
  EXPECT_EQ(full.points.row(0), (std::vector<double>{8, 7}));
  const std::string good = bytes_of<std::int32_t>({1, 4, 0});
  EXPECT_EQ(read_refusal(csr(bytes_of<std::int32_t>({1, 1, 0}), starts)),
            "f: row 1 holds column 2 twice; call sum_duplicates() before saving");
  EXPECT_EQ(read_refusal(csr(bytes_of<std::int32_t>({1, 5, 0}), starts)),
            "f: column index 5 is outside the 5 columns, counted from 0");
  EXPECT_EQ(read_refusal(csr(bytes_of<std::int32_t>({-1, 1, 0}), starts)),
            "f: column index -1 is outside the 5 columns, counted from 0");
  EXPECT_EQ(read_refusal(csr(good, bytes_of<std::int32_t>({0, 4, 3}))),
            "f: indptr must ascend from 0 to the 3 entries");
  EXPECT_EQ(read_refusal(csr(good, starts, "csc")),
            "f: the sparse matrix has format 'csc'; save matrix.tocsr()");
  EXPECT_EQ(read_refusal(csr(good, starts, "csr", {3, 5})), "f: indptr has 3 elements; 3 rows need 4");
  EXPECT_EQ(read_refusal(csr(good, starts, "csr", {-2, 5})),
            "f: the shape of the sparse matrix is not two sizes below 2^31; points are a matrix");
}

TEST(NpzReader, DamagedArchivesAreReadOrRefused) {
  Random random(13);
  const std::string good = zip(csr(bytes_of<std::int32_t>({4, 1, 0}), bytes_of<std::int32_t>({0, 2, 3})));
  const Scratch scratch;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = good;
    for (std::uint64_t k = 0; k < 1 + random.below(4); ++k) {
      if (random.below(4) == 0)
        bytes.resize(1 + random.below(bytes.size()));
      else
        bytes[random.below(bytes.size())] = char(random.below(256));
    }
    const std::string path = scratch.write("f.npz", bytes);
    refusal([&] { read(path, {.missing = Missing(random.below(3))}); });
  }
}

}  // namespace
}  // namespace mercer
