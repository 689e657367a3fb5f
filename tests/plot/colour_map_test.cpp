#include "plot/colour_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mercer {
namespace {

// CIE lightness of an sRGB colour, 0 to 100.
double lightness(const Colour& colour) {
  const auto linear = [](std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColourMap, OneSignIsViridisWithLightnessRisingEvenly) {
  const ColourMap map(0, 1);
  EXPECT_EQ(map.scheme(), ColourScheme::sequential);
  EXPECT_EQ(map.colour(0).hex(), "#440154");
  EXPECT_EQ(map.colour(ColourMap::steps - 1).hex(), "#fde725");
  const double whole = lightness(map.colour(ColourMap::steps - 1)) - lightness(map.colour(0));
  for (std::size_t i = 1; i < ColourMap::steps; ++i) {
    const double rise = lightness(map.colour(i)) - lightness(map.colour(i - 1));
    EXPECT_NEAR(rise, whole / double(ColourMap::steps - 1), 0.5) << i;
  }
}

TEST(ColourMap, BothSignsDivergeFromWhiteAtZero) {
  const ColourMap map(-1, 3);
  EXPECT_EQ(map.scheme(), ColourScheme::diverging);
  EXPECT_EQ(map.low(), -3);
  EXPECT_EQ(map.high(), 3);
  EXPECT_GT(lightness(map.colour(map.step(0))), 95);
  EXPECT_GT(map.colour(map.step(-3)).blue, map.colour(map.step(-3)).red);
  EXPECT_GT(map.colour(map.step(3)).red, map.colour(map.step(3)).blue);
}

TEST(ColourMap, ATraceOfTheOtherSignDoesNotDiverge) {
  EXPECT_EQ(ColourMap(-0.05, 1).scheme(), ColourScheme::sequential);
  EXPECT_EQ(ColourMap(-1, 0.05).scheme(), ColourScheme::sequential);
  EXPECT_EQ(ColourMap(-0.1, 1).scheme(), ColourScheme::diverging);
}

TEST(ColourMap, StepsAscendAndClamp) {
  const ColourMap map(1, 2);
  EXPECT_EQ(map.step(0), 0u);
  EXPECT_EQ(map.step(1), 0u);
  EXPECT_EQ(map.step(1.5), ColourMap::steps / 2);
  EXPECT_EQ(map.step(2), ColourMap::steps - 1);
  EXPECT_EQ(map.step(1e300), ColourMap::steps - 1);
}

TEST(ColourMap, ARangeThatNearlyReachesZeroBeginsThere) {
  EXPECT_EQ(ColourMap(0.01, 1).low(), 0);
  EXPECT_EQ(ColourMap(0.1, 1).low(), 0.1);
  EXPECT_EQ(ColourMap(-1, -0.01).high(), 0);
}

TEST(ColourMap, AConstantLiesInTheMiddleOfARange) {
  for (const double value : {0.0, 2.0, -7.0, 1e30, 1e-40}) {
    const ColourMap map(value, value);
    EXPECT_LT(map.low(), map.high()) << value;
    EXPECT_NEAR(double(map.step(value)), ColourMap::steps / 2, 1) << value;
  }
}

}  // namespace
}  // namespace mercer
