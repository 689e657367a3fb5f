#include "mercer/progress.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "mercer/error.hpp"

namespace mercer {
namespace {

TEST(Progress, TellsItsListenerAndIsSilentWithoutOne) {
  const Progress silent, nobody = Progress::Listener();
  EXPECT_FALSE(silent || nobody);
  EXPECT_TRUE(silent("work", 0.5));
  silent.part(0, 0.1).check("work", 0.5);
  std::vector<double> told;
  const Progress whole = [&](std::string_view what, double fraction) {
    EXPECT_EQ(what, "work");
    told.push_back(fraction);
    return told.size() < 3;
  };
  EXPECT_TRUE(whole("work", 0.5));
  const Progress half = whole.part(0.5, 1);
  EXPECT_TRUE(half("work", 0));
  EXPECT_FALSE(half.part(0, 0.5)("work", 1));
  EXPECT_EQ(told, (std::vector<double>{0.5, 0.5, 0.75}));
}

// Asked at most once in a while, however often it is checked; a busy machine may need longer for the loop.
TEST(Progress, IsCheckedNowAndThenAndStops) {
  using std::chrono::steady_clock, std::chrono::milliseconds;
  int asked = 0;
  bool wanted = true;
  const Progress patient = [&](std::string_view, double) { return ++asked, wanted; };
  const auto start = steady_clock::now();
  for (int i = 0; i < 1000; ++i) patient.check("work", 0.5);
  const auto whiles = (steady_clock::now() - start) / milliseconds(40);
  EXPECT_GE(asked, 1);
  EXPECT_LE(asked, 1 + whiles);
  const int before = asked;
  patient.check("other work", 0);  // something new is told at once
  EXPECT_EQ(asked, before + 1);
  wanted = false;
  std::this_thread::sleep_for(milliseconds(60));
  try {
    patient.check("other work", 0.5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(Progress, IsToldByOneThreadAtATime) {
  int inside = 0, most = 0;
  const Progress shared = [&](std::string_view, double) {
    most = std::max(most, ++inside);
    std::this_thread::yield();
    return --inside, true;
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) EXPECT_TRUE(shared("work", 0));
      });
  }
  EXPECT_EQ(most, 1);
}

TEST(Progress, StopsWhatMayStopAndFinishesWhatMustNot) {
  bool wanted = true;
  const Progress caller = [&](std::string_view, double) { return wanted; };
  const Progress stopping = caller.with_grace(0), finishing = stopping.with_grace(1e9),
                 at_once = stopping.with_grace(0);
  EXPECT_TRUE(stopping("work", 0.5));
  EXPECT_FALSE(stopping.stopped());
  wanted = false;
  EXPECT_TRUE(finishing("work", 0.5));
  EXPECT_TRUE(stopping.stopped());
  EXPECT_FALSE(finishing.stopped());
  EXPECT_FALSE(at_once("work", 0.5));
  EXPECT_FALSE(stopping("work", 0.5));
  wanted = true;
  EXPECT_FALSE(stopping("work", 0.5));  // for good
  EXPECT_FALSE(at_once.part(0, 0.5)("work", 0.5));
  EXPECT_TRUE(finishing("work", 0.5));
  EXPECT_TRUE(caller("work", 0.5));
}

TEST(Progress, HasNoGraceWithoutAListener) {
  EXPECT_FALSE(Progress().with_grace(0));
  EXPECT_FALSE(Progress().with_grace(1).stopped());
}

TEST(Progress, CountsTheDecadesThatAreDone) {
  EXPECT_EQ(decades_done(1, 1, 1e-4), 0);
  EXPECT_NEAR(decades_done(1, 1e-3, 1e-4), 0.75, 1e-12);
  EXPECT_EQ(decades_done(1, 1e-5, 1e-4), 1);
  EXPECT_EQ(decades_done(1, 2, 1e-4), 0);
}

}  // namespace
}  // namespace mercer
