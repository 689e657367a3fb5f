#include "model_selection/interruption.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

TEST(Interruption, StopsWhatMayStopAndFinishesWhatMustNot) {
  Interruption stop;
  bool wanted = true;
  const Progress caller = [&](std::string_view, double) { return wanted; };
  const Progress stopping = stop.stopping(caller), finishing = stop.finishing(caller, 1e9),
                 at_once = stop.finishing(caller, -1);
  EXPECT_TRUE(stopping("work", 0.5));
  EXPECT_FALSE(stop.asked());
  wanted = false;
  EXPECT_TRUE(finishing("work", 0.5));
  EXPECT_TRUE(stop.asked());
  EXPECT_FALSE(at_once("work", 0.5));
  EXPECT_FALSE(stopping("work", 0.5));
}

TEST(Interruption, IsNothingWithoutACaller) {
  Interruption stop;
  EXPECT_FALSE(stop.stopping({}));
  EXPECT_FALSE(stop.finishing({}, 1));
}

}  // namespace
}  // namespace mercer
