#include "plot/chart_style.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "plot/chart.hpp"

namespace mercer {
namespace {

// WCAG 2: (L₁ + 0.05) / (L₂ + 0.05) of relative luminances.
double luminance(const std::string& hex) {
  double sum = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = double(std::stoi(hex.substr(2 * i, 2), nullptr, 16)) / 255;
    sum += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}
double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

std::string colour_in(const std::string& css, const std::string& selector) {
  const std::size_t at = css.find(selector + "{");
  const std::size_t hash = css.find('#', at);
  return css.substr(hash + 1, 6);
}

TEST(ChartStyle, EveryColourIsSeenOnItsPage) {
  const std::string css(chart_style);
  const std::size_t dark = css.find("@media");
  ASSERT_NE(dark, std::string::npos);
  for (const auto& [part, page] : {std::pair{css.substr(0, dark), "ffffff"}, {css.substr(dark), "15181d"}}) {
    for (int i = 0; i < palette_size; ++i) {
      EXPECT_GE(contrast(colour_in(part, "." + stroke_class(i)), page), 3) << page << i;
      EXPECT_EQ(colour_in(part, "." + stroke_class(i)), colour_in(part, "." + fill_class(i)));
    }
    EXPECT_GE(contrast(colour_in(part, "text"), page), 7);
    EXPECT_GE(contrast(colour_in(part, "." + fill_class(muted)), page), 4.5);
  }
}

TEST(ChartStyle, EverySelectorIsWithinItsClass) {
  const std::string css(chart_style);
  for (std::size_t at = css.find('{'); at != std::string::npos; at = css.find('{', at + 1)) {
    const std::size_t begin = css.find_last_of("}\n", at) + 1;
    const std::string selector = css.substr(begin, at - begin);
    EXPECT_TRUE(selector.starts_with(".mercer-chart") || selector.starts_with("@media")) << selector;
  }
}

TEST(ChartStyle, ThePaletteRepeats) {
  EXPECT_EQ(stroke_class(0), "s0");
  EXPECT_EQ(stroke_class(palette_size + 2), "s2");
  EXPECT_EQ(fill_class(ink), "fi");
  EXPECT_EQ(fill_class(black), "fb");
}

TEST(ChartStyle, PixelsHaveOneDecimal) {
  EXPECT_EQ(pixels(3), "3");
  EXPECT_EQ(pixels(3.14), "3.1");
  EXPECT_EQ(pixels(-0.26), "-0.3");
  EXPECT_EQ(pixels(-12.25), "-12.3");
  EXPECT_EQ(pixels(0.04), "0");
}

TEST(ChartStyle, WidthsCountCharacters) { EXPECT_EQ(text_width("γ²x"), text_width("abc")); }

}  // namespace
}  // namespace mercer
