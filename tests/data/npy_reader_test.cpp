#include "data/npy_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes_of;
using testing::npy;
using testing::refusal;
using testing::Scratch;

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

}  // namespace
}  // namespace mercer
