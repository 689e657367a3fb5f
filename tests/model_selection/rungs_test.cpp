#include "model_selection/rungs.hpp"

#include <gtest/gtest.h>

#include "mercer/methods.hpp"

namespace mercer {
namespace {

TEST(Rungs, HaveFourTimesAsManyRowsEachUpToTheMost) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(rungs(300, {}), Sizes{300});
  EXPECT_EQ(rungs(20'000, {.rows_at_first = 1000, .rows_at_most = 8000}), (Sizes{1000, 4000, 8000}));
  EXPECT_EQ(rungs(600, {.rows_at_first = 1000, .rows_at_most = 8000}), Sizes{600});
  EXPECT_EQ(rungs(5000, {.rows_at_first = 1000}), (Sizes{1000, 4000, 5000}));
}

TEST(Rungs, KeepTheBetterQuarterButFour) {
  EXPECT_EQ(kept_of(100), 25u);
  EXPECT_EQ(kept_of(9), 4u);
  EXPECT_EQ(kept_of(3), 3u);
}

TEST(Rungs, LaterOnesTakeTimeForThoseThatAreKept) {
  CostModel cost(5);
  std::vector<CandidateLine> lines;
  for (int i = 0; i < 16; ++i)
    lines.push_back({.space = 0,
                     .method = Svm{},
                     .kernel = Kernel::parse("linear"),
                     .values = {},
                     .parameter = "C",
                     .path = {1}});
  cost.add(lines[0], 1000, 1);
  EXPECT_DOUBLE_EQ(seconds_of_later_rungs(cost, lines, {1000, 4000}, 0), 4 * cost.seconds(lines[0], 4000));
  EXPECT_EQ(seconds_of_later_rungs(cost, lines, {1000, 4000}, 1), 0);
}

}  // namespace
}  // namespace mercer
