#include "mercer/shared.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace mercer {
namespace {

struct Tracked {
  int* alive;
  explicit Tracked(int* count) : alive(count) { ++*alive; }
  ~Tracked() { --*alive; }
};

TEST(Shared, DestroysTheObjectWithItsLastOwner) {
  int alive = 0;
  {
    Shared<Tracked> first(new Tracked(&alive));
    Shared<Tracked> second = first;
    EXPECT_EQ(&*first, &*second);
    first = Shared<Tracked>();
    EXPECT_EQ(alive, 1);
    Shared<Tracked> third = std::move(second);
    EXPECT_EQ(third->alive, &alive);
    third = third;
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Shared, IsCountedAcrossThreads) {
  int alive = 0;
  {
    const Shared<Tracked> one(new Tracked(&alive));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([one] {
        for (int i = 0; i < 10000; ++i) Shared<Tracked> copy = one;
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace mercer
