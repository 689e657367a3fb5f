#include "data/npy_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes_of;
using testing::npy;
using testing::refusal;
using testing::Scratch;
using testing::zip;
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
