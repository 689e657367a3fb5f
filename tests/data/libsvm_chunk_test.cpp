// Every refusal of LIBSVM text, with its place, whatever the size of the chunks.
#include "data/libsvm_chunk.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::libsvm;
using testing::libsvm_refusal;

void expect_refusal(std::string_view text, const std::string& message, const ReadOptions& options = {}) {
  for (const std::size_t chunk : {std::size_t(1), std::size_t(5), default_chunk_bytes})
    for (const int threads : {1, 3}) {
      ReadOptions chosen = options;
      chosen.threads = threads;
      EXPECT_EQ(libsvm_refusal(text, chosen, chunk), message) << text;
    }
}

TEST(LibsvmChunk, FieldsThatAreNoEntries) {
  expect_refusal("1 1:2\n1 2", "f:2:3: '2' is not index:value; write for example 3:0.5");
  expect_refusal("1 1:2 x:3", "f:1:7: 'x' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 :3", "f:1:3: '' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 1.5:3", "f:1:3: '1.5' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 -4:3", "f:1:3: index '-4' is negative; indices count from 1, or from 0");
  expect_refusal("1 1:\n", "f:1:5: '' is a missing value; fill it in, or set missing to mean or drop");
  expect_refusal("1 1:x", "f:1:5: 'x' is not a number; write a number such as 1.5");
  expect_refusal("1 1:2:3", "f:1:5: '2:3' is not a number; write a number such as 1.5");
  expect_refusal("1 1:1 2:5,6", "f:1:9: '5,6' is not a number; write a number such as 1.5");
  expect_refusal("1 1:1 2:0x1F", "f:1:9: '0x1F' is not a number; write a number such as 1.5");
}

TEST(LibsvmChunk, IndicesOutOfOrder) {
  expect_refusal("1 1:1\n1 3:1 2:1", "f:2:7: index '2' follows 3; indices must ascend within a line");
  expect_refusal("1 3:1 3:2", "f:1:7: index '3' appears twice in the line; give each index once");
  expect_refusal("1 3:0 3:2", "f:1:7: index '3' appears twice in the line; give each index once");
  expect_refusal("1 2147483647:1", "f:1:3: index '2147483647' is too large; the largest is 2147483646");
  expect_refusal("1 99999999999:1", "f:1:3: index '99999999999' is too large; the largest is 2147483646");
  expect_refusal("1 999999999999999999999:1",
                 "f:1:3: index '999999999999999999999' is too large; the largest is 2147483646");
  EXPECT_EQ(libsvm("1 2147483646:1").points.cols(), 2147483646u);
}

TEST(LibsvmChunk, NumbersThatCannotBeHeld) {
  expect_refusal("1 1:1e400",
                 "f:1:5: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  expect_refusal("1 1:nan", "f:1:5: 'nan' is a missing value; fill it in, or set missing to mean or drop");
  expect_refusal("1 1:-inf",
                 "f:1:5: '-inf' is not finite; use a finite number, or set missing to mean or drop");
  expect_refusal("1 1:1e39", "f:1:5: '1e39' is too large for a float32; use float64",
                 {.precision = Precision::float32});
  expect_refusal("1 1:1e400",
                 "f:1:5: '1e400' is too large for a double; the largest is 1.7976931348623157e+308",
                 {.missing = Missing::mean});
  EXPECT_EQ(libsvm("1 1:1e-400 2:1").points.stored(), 1u);
}

TEST(LibsvmChunk, LinesWithoutALabel) {
  expect_refusal("1 1:1\n1:1 2:1",
                 "f:2:1: the line starts with '1:1', not with a label; write label index:value …, or set "
                 "target to none");
  const Dataset data = libsvm("1:1 2:5\n7 1:2\n# none\n3:1", {.target = "none"}, 4);
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.target.task, Task::none);
  EXPECT_EQ(data.points.row(1), (std::vector<double>{2, 0, 0}));
}

TEST(LibsvmChunk, QueriesStandBehindTheLabelOfEveryLine) {
  const Dataset data = libsvm("3 qid:7 1:0.5\n2 qid:7 2:1 # d:e f:0\n1 qid:-8\n", {}, 10);
  EXPECT_EQ(data.queries, (std::vector<std::int64_t>{7, 7, -8}));
  EXPECT_EQ(data.points.cols(), 2u);
  EXPECT_EQ(libsvm("1 qid:0 1:0 2:0\n1 qid:0 1:0 3:0\n").queries, (std::vector<std::int64_t>{0, 0}));
  expect_refusal("1 qid:x 1:1", "f:1:3: 'qid:x' is not a query number; write for example qid:12");
  expect_refusal("1 qid:99999999999999999999 1:1",
                 "f:1:3: 'qid:99999999999999999999' is not a query number; write for example qid:12");
  expect_refusal("1 qid:1 qid:2 1:1", "f:1:9: 'qid:2' is the second qid of the line; write one");
  expect_refusal("1 1:1 qid:2", "f:1:7: 'qid:2' stands behind an entry; write it right behind the label");
  expect_refusal("1 qid:1 1:1\n1 1:1\n1 qid:2 1:1",
                 "f:2:1: the line has no qid, though others have; give every line one, or none");
  EXPECT_TRUE(libsvm("1 1:1 # qid:3\n1 2:1").queries.empty());
}

}  // namespace
}  // namespace mercer
