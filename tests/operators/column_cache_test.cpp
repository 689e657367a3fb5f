#include "operators/column_cache.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace mercer {
namespace {

constexpr std::size_t length = 6;

/// A cache of columns whose number j at i is 100·j + i, with a record of what had to be computed.
struct Recorded {
  explicit Recorded(std::size_t memory) : cache(length, memory) {}

  std::vector<std::size_t> fetch(const std::vector<std::size_t>& indices) {
    std::vector<float> out(indices.size() * length, -1);
    std::vector<std::size_t> computed;
    cache.fetch(indices, out, [&](std::span<const std::size_t> missing, float* to) {
      computed.assign(missing.begin(), missing.end());
      for (const std::size_t index : missing)
        for (std::size_t i = 0; i < length; ++i) *to++ = float(100 * index + i);
    });
    for (std::size_t j = 0; j < indices.size(); ++j)
      for (std::size_t i = 0; i < length; ++i) EXPECT_EQ(out[j * length + i], float(100 * indices[j] + i));
    EXPECT_LE(cache.size(), cache.capacity());
    return computed;
  }

  ColumnCache<float> cache;
};

using List = std::vector<std::size_t>;

TEST(ColumnCache, HoldsAsManyColumnsAsTheMemoryAllows) {
  EXPECT_EQ(ColumnCache<float>(length, 3 * length * 4).capacity(), 3u);
  EXPECT_EQ(ColumnCache<float>(length, 3 * length * 4 - 1).capacity(), 2u);
  EXPECT_EQ(ColumnCache<double>(length, 3 * length * 4).capacity(), 1u);
  EXPECT_EQ(ColumnCache<float>(0, 1000).capacity(), 0u);
}

TEST(ColumnCache, ComputesOnlyWhatIsMissing) {
  Recorded r(4 * length * 4);
  EXPECT_EQ(r.fetch({5, 2}), (List{5, 2}));
  EXPECT_EQ(r.fetch({2, 5}), List{});
  EXPECT_EQ(r.fetch({2, 7, 5, 1}), (List{7, 1}));
  EXPECT_EQ(r.fetch({}), List{});
  EXPECT_EQ(r.cache.size(), 4u);
}

TEST(ColumnCache, LetsTheLeastRecentlyUsedLeaveFirst) {
  Recorded r(3 * length * 4);
  r.fetch({1});
  r.fetch({2});
  r.fetch({3});
  r.fetch({1});                        // from oldest: 2, 3, 1
  EXPECT_EQ(r.fetch({4}), List{4});    // 2 leaves: 3, 1, 4
  EXPECT_EQ(r.fetch({1, 3}), List{});  // 4, 1, 3
  EXPECT_EQ(r.fetch({5}), List{5});    // 4 leaves: 1, 3, 5
  EXPECT_EQ(r.fetch({1}), List{});     // 3, 5, 1
  EXPECT_EQ(r.fetch({2}), List{2});    // 3 leaves: 5, 1, 2
  EXPECT_EQ(r.fetch({5, 1, 2}), List{});
}

TEST(ColumnCache, TakesTheSameColumnSeveralTimes) {
  Recorded r(3 * length * 4);
  r.fetch({4, 4, 4});
  EXPECT_EQ(r.cache.size(), 1u);
  EXPECT_EQ(r.fetch({4, 9, 4, 9}), (List{9, 9}));
  EXPECT_EQ(r.cache.size(), 2u);
  EXPECT_EQ(r.fetch({9, 4}), List{});
}

TEST(ColumnCache, GivesMoreColumnsThanItHolds) {
  Recorded r(2 * length * 4);
  EXPECT_EQ(r.fetch({0, 1, 2, 3, 4}).size(), 5u);
  EXPECT_EQ(r.cache.size(), 2u);
  EXPECT_EQ(r.fetch({3, 4}), List{});
  // Those held come first, before others take their place.
  EXPECT_EQ(r.fetch({0, 3, 1, 4, 2}), (List{0, 1, 2}));
  Recorded none(0);
  EXPECT_EQ(none.fetch({1, 2, 1}).size(), 3u);
  EXPECT_EQ(none.cache.size(), 0u);
}

TEST(ColumnCache, AgreesWithASimpleModelOverManySteps) {
  Recorded r(5 * length * 4);
  List order;  // most recent first
  std::size_t state = 1;
  for (int step = 0; step < 2000; ++step) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::size_t index = (state >> 33) % 9;
    const auto found = std::ranges::find(order, index);
    EXPECT_EQ(r.fetch({index}).empty(), found != order.end());
    if (found != order.end()) order.erase(found);
    order.insert(order.begin(), index);
    if (order.size() > 5) order.pop_back();
  }
}

}  // namespace
}  // namespace mercer
