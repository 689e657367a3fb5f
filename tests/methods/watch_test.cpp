#include "methods/watch.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"

namespace mercer {
namespace {

TEST(Watch, GoesOnUntilTheTimeIsOver) {
  const FitOptions endless, hurried{.seconds = 1e-9};
  Watch free(endless), short_of_time(hurried);
  EXPECT_TRUE(free.go_on("work", 0.5));
  EXPECT_FALSE(free.cut_short());
  while (short_of_time.seconds() <= 1e-9) {
  }
  EXPECT_FALSE(short_of_time.go_on("work", 0.5));
  EXPECT_TRUE(short_of_time.cut_short());
  EXPECT_EQ(refusal(ErrorKind::budget, [&] { short_of_time.progress(0, 1)("work", 0.5); }),
            "the time was over before there was a model");
}

TEST(Watch, ReportsFractionsThatNeverFall) {
  std::vector<double> seen;
  const FitOptions options{.progress = [&](std::string_view, double fraction) {
    seen.push_back(fraction);
    return true;
  }};
  Watch watch(options);
  watch.go_on("a", 0.2);
  watch.go_on("b", 0.1);
  watch.progress(0.5, 0.7)("c", 0.5);
  watch.go_on("d", 7);
  EXPECT_EQ(seen, (std::vector<double>{0.2, 0.2, 0.6, 1}));
}

TEST(Watch, StopsWhereTheCallerSaysSo) {
  const auto no = [](std::string_view, double) { return false; };
  const FitOptions discard{.progress = no}, keep{.keep_on_cancel = true, .progress = no};
  Watch first(discard), second(keep);
  EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { first.go_on("work", 0); }), "stopped before the end");
  EXPECT_FALSE(second.go_on("work", 0));
  EXPECT_TRUE(second.cut_short());
}

}  // namespace
}  // namespace mercer
