#include "base/poll.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace mercer {
namespace {

TEST(Poll, AsksNowAndThenAndStops) {
  const Poll silent;
  silent("work", 0.5);
  int asked = 0;
  const Poll patient([&](std::string_view what, double fraction) {
    EXPECT_EQ(what, "work");
    EXPECT_EQ(fraction, 0.5);
    return ++asked < 2;
  });
  for (int i = 0; i < 1000; ++i) patient("work", 0.5);
  EXPECT_EQ(asked, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  try {
    patient("work", 0.5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace mercer
