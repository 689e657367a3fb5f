#include "data/left_out.hpp"

#include "data/scratch.hpp"
#include "mercer/read_rows.hpp"

namespace mercer {
namespace {

using Rows = std::vector<std::size_t>;

TEST(LeftOut, CountsRowsAsTheFileDoes) {
  LeftOut::tell({1, 0});  // nobody listens
  LeftOut outer;
  outer.tell({0, 1, 0, 0, 1, 0});
  EXPECT_EQ(outer.rows(), (Rows{1, 4}));
  LeftOut::tell({1, 0, 1, 0});  // of rows 0, 2, 3, 5
  EXPECT_EQ(outer.rows(), (Rows{0, 1, 3, 4}));
  {
    LeftOut inner;
    LeftOut::tell({1});
    EXPECT_EQ(inner.rows(), (Rows{0}));
  }
  EXPECT_EQ(outer.rows(), (Rows{0, 1, 3, 4}));
  LeftOut::forget();
  EXPECT_TRUE(outer.rows().empty());
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

TEST(LeftOut, MembersOfSetsAreNoRows) {
  const testing::Scratch scratch;
  const std::string path = scratch.write("t.csv", "bag,x,y\na,1,0\na,,0\nb,2,1\nb,3,1\n");
  Rows left_out;
  EXPECT_EQ(read(path, {.target = "y", .missing = Missing::drop, .bag = "bag"}, left_out).rows(), 2u);
  EXPECT_TRUE(left_out.empty());
}

}  // namespace
}  // namespace mercer
