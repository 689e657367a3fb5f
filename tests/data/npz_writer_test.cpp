#include <cstdlib>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::expect_same;
using testing::refusal;
using testing::Scratch;

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
