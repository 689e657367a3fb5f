#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

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

}  // namespace
}  // namespace mercer
