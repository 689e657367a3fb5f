#include "base/sample.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mercer {
namespace {

TEST(Sample, IsAllRowsWhereTheyFit) {
  EXPECT_TRUE(sampled_rows(0, 5, 1).empty());
  EXPECT_EQ(sampled_rows(3, 5, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sampled_rows(3, 3, 1), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Sample, IsAscendingWithoutRepetitionAndFollowsTheSeed) {
  const auto rows = sampled_rows(100, 30, 7);
  EXPECT_EQ(rows.size(), 30u);
  EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 30u);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  EXPECT_LT(rows.back(), 100u);
  EXPECT_EQ(rows, sampled_rows(100, 30, 7));
  EXPECT_NE(rows, sampled_rows(100, 30, 8));
}

TEST(Sample, TakesEveryRowEquallyOften) {
  std::vector<int> times(10, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    for (const std::size_t row : sampled_rows(10, 3, seed)) ++times[row];
  for (const int count : times) EXPECT_NEAR(count, 600, 100);  // five standard deviations
}

}  // namespace
}  // namespace mercer
