#include <gtest/gtest.h>

#include "data/scratch.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {
namespace {

TEST(WriteRows, PutsTheHeadAndEveryRowInOrderWhateverTheirLength) {
  const testing::Scratch scratch;
  const std::string path = scratch.path("rows.txt");
  for (const std::size_t rows : {0, 1, 3, 5000}) {  // the last in several blocks
    std::string expected = "head\n";
    write_rows(path, "head\n", rows, [&](std::size_t i, std::string& out) {
      const std::string row = std::to_string(i) + std::string(i % 1000, 'x') + "\n";
      out += row;
      expected += row;
    });
    EXPECT_EQ(testing::Scratch::read(path), expected);
  }
}

TEST(WriteRows, LeavesTheOldFileWhereARowIsRefused) {
  const testing::Scratch scratch;
  const std::string path = scratch.path("rows.txt");
  write_rows(path, "old", 0, {});
  EXPECT_THROW(write_rows(path, "new", 2,
                          [](std::size_t i, std::string&) {
                            if (i == 1) throw Error(ErrorCode::invalid_data, "no");
                          }),
               Error);
  EXPECT_EQ(testing::Scratch::read(path), "old");
}

}  // namespace
}  // namespace mercer
