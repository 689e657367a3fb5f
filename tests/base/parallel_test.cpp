#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/refusal.hpp"
#include "mercer/one_thread.hpp"

namespace mercer {
namespace {

using std::chrono::milliseconds;

TEST(ParallelFor, RunsEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 4, 7}) {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u}) {
      std::vector<std::atomic<int>> runs(count);
      parallel_for(count, threads, [&](std::size_t i) { ++runs.at(i); });
      for (const auto& run : runs) EXPECT_EQ(run, 1) << threads << " threads, " << count << " tasks";
    }
  }
}

TEST(ParallelFor, UsesAsManyThreadsAsItIsTold) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> begun{0};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel_for(std::size_t(threads), threads, [&](std::size_t) {  // ends once all are at work together
      ++begun;
      while (begun < threads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    });
    EXPECT_LT(std::chrono::steady_clock::now(), deadline) << threads << " threads";
  }
}

TEST(ParallelFor, OnOneThreadStaysOnTheCallersAndInOrder) {
  std::vector<std::size_t> order;
  parallel_for(5, 1, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, WithinOneThreadStaysOnTheCallers) {
  const auto others = [](int threads) {
    std::atomic<int> on_others{0}, begun{0};
    const std::thread::id own = std::this_thread::get_id();
    const auto deadline = std::chrono::steady_clock::now() + milliseconds(threads > 1 ? 100 : 0);
    parallel_for(4, threads, [&](std::size_t) {
      ++begun;  // so that all come to a task
      while (begun < threads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      if (std::this_thread::get_id() != own) ++on_others;
    });
    return on_others.load();
  };
  {
    const OneThread alone;
    EXPECT_EQ(others(4), 0);
    {
      const OneThread still_alone;
      EXPECT_EQ(others(4), 0);
    }
    EXPECT_EQ(others(4), 0);
    std::thread([&] { EXPECT_GT(others(4), 0) << "another thread is not bound"; }).join();
  }
  EXPECT_GT(others(4), 0);
}

TEST(ParallelFor, OthersJoinWorkThatGoesOnForAWhile) {
  const std::thread::id own = std::this_thread::get_id();
  std::vector<std::atomic<int>> runs(64);
  std::atomic<int> on_others{0};
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> early{false};
  {
    const OneThread alone(0.05);
    parallel_for(runs.size(), 2, [&](std::size_t i) {
      ++runs.at(i);
      if (std::this_thread::get_id() != own) {
        ++on_others;
        if (std::chrono::steady_clock::now() - begin < milliseconds(50)) early = true;
      }
      std::this_thread::sleep_for(milliseconds(5));
    });
  }
  for (const auto& run : runs) EXPECT_EQ(run, 1);
  EXPECT_GT(on_others, 0);
  EXPECT_FALSE(early);
}

TEST(ParallelFor, RethrowsTheFailureOfTheFirstTaskAndSkipsTheRest) {
  for (const int threads : {1, 2, 4, 7}) {
    std::atomic<int> begun{0};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::atomic<bool> later_failed{threads == 1};  // one thread never comes to the later task
    try {
      parallel_for(100000, threads, [&](std::size_t i) {
        ++begun;
        if (i == 5) later_failed = true;
        if (i == 5) throw std::runtime_error("later");
        if (i != 3) return;
        while (!later_failed && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
        std::this_thread::sleep_for(milliseconds(20));
        throw std::runtime_error("first");
      });
      ADD_FAILURE() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first") << threads << " threads";
    }
    EXPECT_LT(begun, 50000) << threads << " threads";
  }
}

TEST(ParallelFor, TheFirstFailureInOrderIsReported) {
  for (const int threads : {1, 2, 4})
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> ran{0};
      try {
        parallel_for(100, threads, [&](std::size_t i) {
          ++ran;
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7");
      }
      EXPECT_GE(ran, 8);
    }
}

TEST(ParallelFor, CanRunAgainAfterAnException) {
  EXPECT_THROW(parallel_for(8, 4, [](std::size_t) { throw std::logic_error(""); }), std::logic_error);
  std::atomic<int> runs{0};
  parallel_for(8, 4, [&](std::size_t) { ++runs; });
  EXPECT_EQ(runs, 8);
}

TEST(Progress, GrowsToOneOnTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  std::vector<double> fractions;
  const auto note = [&](std::string_view what, double fraction) {
    EXPECT_EQ(what, "counting");
    EXPECT_EQ(std::this_thread::get_id(), caller);
    fractions.push_back(fraction);
    return true;
  };
  parallel_for(4, 1, note, "counting", [](std::size_t) {});
  EXPECT_EQ(fractions, (std::vector{0.25, 0.5, 0.75, 1.0}));

  fractions.clear();
  parallel_for(200, 4, note, "counting", [](std::size_t) { std::this_thread::sleep_for(milliseconds(1)); });
  EXPECT_FALSE(fractions.empty());
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_LE(fractions.back(), 1);
}

TEST(Progress, ThatSaysNoCancels) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> runs{0};
    const auto stop = [](std::string_view, double) { return false; };
    const auto task = [&](std::size_t) {
      ++runs;
      std::this_thread::sleep_for(milliseconds(1));
    };
    EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { parallel_for(5000, threads, stop, "", task); }),
              "stopped before the end");
    EXPECT_LT(runs, 2500) << threads << " threads";
  }
}

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace mercer
