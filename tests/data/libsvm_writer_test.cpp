#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

TEST(LibsvmWriter, ZerosAreLeftOutAndIndicesCountFromOne) {
  const Scratch scratch;
  const std::string path = scratch.path("d.svm");
  Dataset data{.points = Points({{0.1, 0, -3}, {0, 0, 0}})};
  data.target = testing::classes({"-1", "cat"}, {1, 0});
  data.queries = {4, 5};
  write(path, data);
  EXPECT_EQ(Scratch::read(path), "cat qid:4 1:0.1 3:-3\n-1 qid:5\n");
  EXPECT_EQ(read(path).queries, data.queries);
  write(path, {.points = data.points});
  EXPECT_EQ(Scratch::read(path), "0 1:0.1 3:-3\n0\n");
}

TEST(LibsvmWriter, RefusesWhatTheTextCannotHold) {
  Dataset data{.points = Points({{1, 2}}), .weights = {1}};
  EXPECT_EQ(refusal([&] { write("d.svm", data); }),
            "d.svm: LIBSVM text cannot hold weights; write .csv or .npz");
  data.weights.clear();
  for (const char* label : {"two words", "a:b", "#x", "", "NA"}) {
    data.target = testing::classes({label}, {0});
    EXPECT_EQ(refusal([&] { write("d.svm", data); }),
              "d.svm: label '" + std::string(label) +
                  "' cannot stand in LIBSVM text, which has no spaces, colons or missing labels; write .csv "
                  "or .npz");
  }
}

}  // namespace
}  // namespace mercer
