#include "plot/svg.hpp"

#include <gtest/gtest.h>

#include <limits>

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

}  // namespace
}  // namespace mercer
