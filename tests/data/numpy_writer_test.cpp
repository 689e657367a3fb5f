#include <cstdlib>

#include "data/npy_header.hpp"
#include "data/numpy.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::expect_same;
using testing::refusal;
using testing::Scratch;

NpyHeader header_of(const ArrayBytes& array) {
  const std::string bytes = array.header + std::string(array.elements());
  return parse_npy_header(array.name, bytes, bytes.size());
}

TEST(ArrayBytes, DenseAndSparsePoints) {
  const Points points({{1, 0, 3}, {4, 5, 0}});
  const auto dense = arrays_of_points(points);
  ASSERT_EQ(dense.size(), 1u);
  EXPECT_EQ(header_of(dense[0]).shape, (std::vector<std::size_t>{2, 3}));
  const Points same = points.to_sparse();  // the arrays share its numbers
  const auto sparse = arrays_of_points(same);
  ASSERT_EQ(sparse.size(), 5u);
  EXPECT_EQ(header_of(sparse[0]).count(), 4u);
  EXPECT_EQ(sparse[4].elements(), "csr");
}

TEST(ArrayBytes, IntegerLabelsAreIntegersAndOthersText) {
  Target target = testing::classes({"-1", "1"}, {1, 0});
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'i');
  target.labels = {"1.5", "2"};
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'U');
  target.labels = {"+1", "-1"};  // as written, not the number's own text
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'U');
  target.labels = {"é", "long"};
  EXPECT_EQ(header_of(array_of_target(target)).item_bytes, 16u);
  target.labels = {"\xff", "x"};
  EXPECT_EQ(refusal([&] { array_of_target(target); }), "label '\xff' is not UTF-8 text; rename it");
  target = testing::real({1, 2});
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'f');
}

TEST(NpyWriter, HoldsThePointsAlone) {
  Dataset data{.points = Points({{1, 2}})};
  data.target = testing::real({1});
  EXPECT_EQ(refusal([&] { write("d.npy", data); }),
            "d.npy: a .npy file cannot hold a target beside the points; a .npz file can");
  data.target = {};
  data.weights = {1};
  EXPECT_EQ(refusal([&] { write("d.npy", data); }),
            "d.npy: a .npy file cannot hold weights beside the points; a .npz file can");
  data.weights.clear();
  data.queries = {1};
  EXPECT_EQ(refusal([&] { write("d.npy", data); }),
            "d.npy: a .npy file cannot hold LIBSVM's qid; write .svm");
  EXPECT_EQ(refusal([&] { write("d.npy", {.points = data.points.to_sparse()}); }),
            "d.npy: a .npy file cannot hold sparse points; a .npz file can");
}

TEST(NpzWriter, HoldsPointsTargetAndWeights) {
  const Scratch scratch;
  Dataset data{.points = Points({{1, 0}, {0, 3}, {4, 0}}), .weights = {1, 2, 0.5}};
  data.target = testing::classes({"a", "b"}, {0, 1, 0});
  for (const Points& points : {data.points, data.points.to_sparse()}) {
    data.points = points;
    write(scratch.path("d.npz"), data);
    expect_same(read(scratch.path("d.npz")), data);
  }
}

TEST(NpzWriter, ReplacesAFileWhole) {
  const Scratch scratch;
  scratch.write("d.npz", "something else");
  write(scratch.path("d.npz"), {.points = Points({{1, 2}})});
  EXPECT_EQ(read(scratch.path("d.npz")).rows(), 1u);
}

TEST(NpzWriter, RefusesWhatItCannotWrite) {
  EXPECT_EQ(refusal([] {
              write("-", {.points = Points({{1, 2}})}, Format::npz);
            }),
            "standard output: a .npz archive cannot be written there; name a file");
  EXPECT_EQ(refusal([] {
              write("d.npz", {.points = Points({{1, 2}}), .queries = {1}});
            }),
            "d.npz: a .npz file cannot hold LIBSVM's qid; write .svm");
}

}  // namespace
}  // namespace mercer
