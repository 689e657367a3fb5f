#include "base/pool.hpp"

#include <gtest/gtest.h>

#include "base/parallel.hpp"

namespace mercer {
namespace {

TEST(Pool, GivesWhatWasGivenBack) {
  Pool<int> pool;
  int *first = nullptr, *second = nullptr;
  {
    auto a = pool.borrow(), b = pool.borrow();
    first = &*a;
    second = &*b;
    EXPECT_NE(first, second);
    *a = 7;
  }
  auto a = pool.borrow(), b = pool.borrow(), c = pool.borrow();
  EXPECT_TRUE((&*a == first && &*b == second) || (&*a == second && &*b == first));
  EXPECT_TRUE(*a == 7 || *b == 7);
  EXPECT_NE(&*c, first);
  EXPECT_NE(&*c, second);
}

TEST(Pool, NeverLendsOneObjectTwice) {
  Pool<int> pool;
  parallel_for(2000, 4, [&](std::size_t) {
    auto mine = pool.borrow();
    EXPECT_EQ((*mine)++, 0);
    EXPECT_EQ(--*mine, 0);
  });
}

}  // namespace
}  // namespace mercer
