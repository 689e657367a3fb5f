#include "plot/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mercer {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const Axis& axis, std::size_t count = 5) {
  std::vector<std::string> words;
  for (const auto& tick : ticks_of(axis, count)) words.push_back(tick.second);
  return words;
}
using Labels = std::vector<std::string>;

TEST(Axis, SharesAreLinearOrLogarithmic) {
  EXPECT_DOUBLE_EQ((Axis{"", -1, 3}.share(0)), 0.25);
  const Axis decades{.label = "", .low = 0.01, .high = 100, .logarithmic = true};
  EXPECT_NEAR(decades.share(1), 0.5, 1e-12);
  EXPECT_NEAR(decades.share(10), 0.75, 1e-12);
  EXPECT_TRUE(std::isnan(decades.share(0)));
  EXPECT_TRUE(std::isnan(decades.share(-1)));
}

TEST(Axis, CoversTheFiniteValuesWithAMargin) {
  const double values[] = {2, nan, 12, infinity, 7};
  const Axis axis = axis_over("x", values, 0.1);
  EXPECT_EQ(axis.label, "x");
  EXPECT_DOUBLE_EQ(axis.low, 1);
  EXPECT_DOUBLE_EQ(axis.high, 13);
  const double prices[] = {1, 100, 0, -5};
  const Axis logarithmic = axis_over("", prices, 0.5, true);
  EXPECT_NEAR(logarithmic.low, 0.1, 1e-12);
  EXPECT_NEAR(logarithmic.high, 1000, 1e-9);
}

TEST(Axis, HasARangeWithoutValuesOrWithOne) {
  EXPECT_LT(axis_over("", {}).low, axis_over("", {}).high);
  const double equal[] = {3, 3, 3};
  EXPECT_EQ(axis_over("", equal).low, 1.5);
  EXPECT_EQ(axis_over("", equal).high, 4.5);
  const double bad[] = {nan, -infinity};
  for (const bool logarithmic : {false, true}) {
    const Axis axis = axis_over("", bad, 0.04, logarithmic);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_GE(ticks_of(axis, 5).size(), 1u);
  }
}

TEST(Axis, AnyRangeBecomesDrawable) {
  for (const bool logarithmic : {false, true})
    for (const double low : {nan, -infinity, infinity, 0.0, -1.0, 1e308, 5e-324})
      for (const double high : {nan, -infinity, infinity, 0.0, 1.0, 1e308}) {
        const Axis axis = drawable({.label = "", .low = low, .high = high, .logarithmic = logarithmic});
        EXPECT_TRUE(axis.low < axis.high && std::isfinite(axis.high - axis.low)) << low << " " << high;
        EXPECT_TRUE(!logarithmic || axis.low > 0);
        EXPECT_LT(ticks_of(axis, 5).size(), 30u);
      }
}

TEST(Axis, TicksAreRound) {
  EXPECT_EQ(labels({"", 0, 1}), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({"", 0, 400000}, 4), (Labels{"0", "100000", "200000", "300000", "400000"}));
  EXPECT_EQ(labels({.label = "", .low = 1e-6, .high = 100, .logarithmic = true}, 8),
            (Labels{"10⁻⁶", "10⁻⁴", "0.01", "1", "100"}));
  EXPECT_EQ(labels({.label = "", .low = 0.5, .high = 20, .logarithmic = true}),
            (Labels{"0.5", "1", "2", "5", "10", "20"}));
  EXPECT_EQ(labels({.label = "", .low = 3, .high = 3.5, .logarithmic = true}, 2), labels({"", 3, 3.5}, 2));
}

TEST(Axis, ItsOwnTicksAreKeptWithinTheRange) {
  EXPECT_EQ(labels({.label = "",
                    .low = 0,
                    .high = 2,
                    .ticks = {{-1, "before"}, {0, "zero"}, {2, "two"}, {3, "behind"}}}),
            (Labels{"zero", "two"}));
}

}  // namespace
}  // namespace mercer
