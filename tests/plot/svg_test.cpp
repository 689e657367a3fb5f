#include "plot/svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "plot/chart.hpp"

namespace mercer {
namespace {

using Lines = std::vector<std::string>;
using Ticks = std::vector<double>;

TEST(Svg, EscapesWhatXmlReserves) {
  EXPECT_EQ(escape_xml("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escape_xml("γ = ½, 核, 🙂\t"), "γ = ½, 核, 🙂\t");
}

TEST(Svg, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(escape_xml(std::string_view("a\0b\x01", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_xml("caf\xe9!"), "caf\uFFFD!");                        // Latin-1
  EXPECT_EQ(escape_xml("\xc0\xbc"), "\uFFFD\uFFFD");                      // an overlong '<'
  EXPECT_EQ(escape_xml("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(escape_xml("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
  EXPECT_EQ(escape_xml("\xef\xbf\xbf"), "\uFFFD\uFFFD\uFFFD");            // U+FFFF
  EXPECT_EQ(escape_xml("cut \xe2\x80"), "cut \uFFFD\uFFFD");
}

TEST(Svg, ShortensByCharactersNotBytes) {
  EXPECT_EQ(shortened("ααα", 3), "ααα");
  EXPECT_EQ(shortened("αααα", 3), "αα…");
  EXPECT_EQ(shortened("ab cd", 4), "ab…");
  EXPECT_EQ(shortened("", 4), "");
}

TEST(Svg, WrapsAtSpaces) {
  EXPECT_EQ(wrapped("rbf + poly * linear", 10, 5), (Lines{"rbf + poly", "* linear"}));
  EXPECT_EQ(wrapped("abcdefghij kl", 4, 5), (Lines{"abcd", "efgh", "ij", "kl"}));
  EXPECT_EQ(wrapped("one two three four", 5, 2), (Lines{"one", "two…"}));
  EXPECT_EQ(wrapped("", 10, 3), Lines{});
}

TEST(Svg, TicksAreRoundNumbersWithinTheRange) {
  EXPECT_EQ(round_ticks(0, 1, 5), (Ticks{0, 0.2, 0.4, 0.2 * 3, 0.8, 1}));
  EXPECT_EQ(round_ticks(-3, 3, 6), (Ticks{-3, -2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(round_ticks(1, 137, 5), (Ticks{50, 100}));
  EXPECT_EQ(round_ticks(4, 4, 5), Ticks{4});
  EXPECT_LE(round_ticks(1e20, 1e20 + 32768, 5).size(), 11u);
  EXPECT_EQ(round_ticks(0, std::numeric_limits<double>::infinity(), 5), Ticks{0});
}

TEST(Svg, LabelsAreShort) {
  EXPECT_EQ(label_text(0.2 * 3), "0.6");
  EXPECT_EQ(label_text(-1.5), "−1.5");
  EXPECT_EQ(label_text(-0.0), "0");
  EXPECT_EQ(label_text(1234.56), "1235");
  EXPECT_EQ(label_text(1.000002, 7), "1.000002");
}

TEST(Svg, CellsOfOneColourAreOnePath) {
  const std::vector<std::uint8_t> colours{0, 0, 1,  //
                                          1, 7, 0};
  EXPECT_EQ(cell_runs(2, 3, colours, 2), (Lines{"M0 0.5h2M2 1.5h1", "M2 0.5h1M0 1.5h1"}));
  EXPECT_EQ(cell_runs(0, 3, {}, 1), Lines{""});
}

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
