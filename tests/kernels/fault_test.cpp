#include "kernels/fault.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mercer {
namespace {

std::string shown(std::string_view text, std::size_t begin, std::size_t end,
                  const std::string& what = "wrong") {
  return expression_fault(text, begin, end, Error(ErrorCode::invalid_kernel, what)).what();
}

TEST(ExpressionFault, IsAUsageErrorWithAMarkUnderThePlace) {
  EXPECT_EQ(expression_fault("a + b", 4, 5, Error(ErrorCode::invalid_data, "wrong")).kind(),
            ErrorKind::usage);
  EXPECT_EQ(shown("a + bcd", 4, 7), "wrong\n  a + bcd\n      ^~~");
  EXPECT_EQ(shown("a + b", 0, 1), "wrong\n  a + b\n  ^");
}

TEST(ExpressionFault, MarksAPlaceBehindTheEnd) {
  EXPECT_EQ(shown("a +", 3, 4), "wrong\n  a +\n     ^");
  EXPECT_EQ(shown("a +", 30, 2), "wrong\n  a +\n     ^");
  EXPECT_EQ(shown("", 0, 0), "wrong\n  \n  ^");
}

TEST(ExpressionFault, CountsCharactersAndNotBytes) {
  EXPECT_EQ(shown("k@\"größe\" ü", 12, 14), "wrong\n  k@\"größe\" ü\n            ^");
  EXPECT_EQ(shown("größe", 0, 7), "wrong\n  größe\n  ^~~~~");
}

TEST(ExpressionFault, BlanksControlCharacters) {
  EXPECT_EQ(shown(std::string("a\n\t\x1b[31m\x7f\0z", 11), 1, 2), "wrong\n  a   [31m  z\n   ^");
}

TEST(ExpressionFault, CutsALongExpressionAroundThePlace) {
  const std::string left(1000, 'l'), right(1000, 'r');
  EXPECT_EQ(shown(left + "X" + right, 1000, 1001), "wrong\n  …" + std::string(50, 'l') + "X" +
                                                       std::string(50, 'r') + "…\n  " + std::string(51, ' ') +
                                                       "^");
  EXPECT_EQ(shown(std::string(50, 'l') + "X", 50, 51),
            "wrong\n  " + std::string(50, 'l') + "X\n  " + std::string(50, ' ') + "^");
}

TEST(ExpressionFault, NeverCutsThroughACharacter) {
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "ü";
  for (std::size_t begin = 0; begin < 8; ++begin) {
    const std::string message = shown("l" + umlauts + "X" + umlauts, 201 + begin % 2, 202);
    std::size_t letters = 0;
    for (std::size_t at = message.find("ü"); at != std::string::npos; at = message.find("ü", at + 2))
      ++letters;
    const auto high = std::size_t(std::ranges::count_if(message, [](char c) { return c < 0; }));
    EXPECT_EQ(high, 2 * letters + 6) << "only whole letters and two ellipses: " << message;
  }
}

TEST(ExpressionFault, StaysShortWhateverIsWrong) {
  const std::string endless(1000000, 'a'), broken(1000000, '\x80');
  EXPECT_LT(shown(endless, 0, endless.size()).size(), 700u);
  EXPECT_LT(shown("a" + broken, 1, 2).size(), 700u);
  EXPECT_LT(shown(broken + "a", broken.size(), broken.size() + 1).size(), 700u);
  EXPECT_LT(shown("a", 0, 1, "unknown kernel '" + endless + "'").size(), 700u);
}

}  // namespace
}  // namespace mercer
