#include "data/words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mercer {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text, Domain domain = Domain::text, Letters letters = Letters::lower) {
  Words words;
  each_word(
      text, domain,
      [&](std::string_view word, std::size_t begin, std::size_t end) {
        words.emplace_back(word);
        EXPECT_LT(begin, end);
        EXPECT_EQ(word.size(), end - begin);
        if (letters == Letters::as_written) {
          EXPECT_EQ(word, text.substr(begin, end - begin));
        }
      },
      letters);
  return words;
}

TEST(Words, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(words_of("Free entry, 2 WIN!"), (Words{"free", "entry", "2", "win"}));
  EXPECT_EQ(words_of("don't_stop"), (Words{"don", "t", "stop"}));
  EXPECT_EQ(words_of("..a.."), (Words{"a"}));
  EXPECT_EQ(words_of("a"), (Words{"a"}));
}

TEST(Words, OfNothingAreNone) {
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" \t\n").empty());
  EXPECT_TRUE(words_of("?! …").empty());
  EXPECT_TRUE(words_of("  ", Domain::symbols).empty());
}

TEST(Words, StayAsWrittenWhereAsked) {
  EXPECT_EQ(words_of("Free ÉTÉ", Domain::text, Letters::as_written), (Words{"Free", "ÉTÉ"}));
}

TEST(Words, OfOtherScriptsAreWordsToo) {
  EXPECT_EQ(words_of("Die Straße ist ÜBERALL"), (Words{"die", "straße", "ist", "überall"}));
  EXPECT_EQ(words_of("ΛΟΓΟΣ и СЛОВО Ёлка"), (Words{"λογοσ", "и", "слово", "ёлка"}));
  EXPECT_EQ(words_of("ŁÓDŹ Žižkov ŸĹĿ"), (Words{"łódź", "žižkov", "ÿĺŀ"}));
  EXPECT_EQ(words_of("語、言葉。"), (Words{"語", "言葉"}));
}

TEST(Words, EndAtPunctuationBeyondAscii) {
  EXPECT_EQ(words_of("“yes”—no… £100 €5 3×4 «oui»\u00a0x"),
            (Words{"yes", "no", "100", "5", "3", "4", "oui", "x"}));
  EXPECT_EQ(words_of("m² 5µ"), (Words{"m²", "5µ"}));
}

TEST(Words, TakeBytesThatAreNoUtf8AsTheyAre) {
  EXPECT_EQ(words_of("a\xff\x80 b\xc3"), (Words{"a\xff\x80", "b\xc3"}));
  EXPECT_EQ(words_of("\xe2\x80"), (Words{"\xe2\x80"})) << "cut off inside a character";
  EXPECT_EQ(words_of("😀 ok"), (Words{"😀", "ok"}));
}

TEST(Words, OfASetAreWhatStandsBetweenSpaces) {
  EXPECT_EQ(words_of(" Milk  bread, A-1\tMilk\n", Domain::symbols), (Words{"Milk", "bread,", "A-1", "Milk"}));
}

TEST(Words, LowerCaseKeepsTheNumberOfBytesOfEveryCharacterOfTwo) {
  for (unsigned code = 0x80; code < 0x800; ++code) {
    const std::string character{char(0xc0 | code >> 6), char(0x80 | (code & 0x3f))};
    std::string small, again;
    append_lower(small, character);
    EXPECT_EQ(small.size(), 2u) << code;
    append_lower(again, small);
    EXPECT_EQ(again, small) << code;
  }
}

TEST(Words, OfAMillionSymbolsAreFoundInOnePass) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "s" + std::to_string(i) + " ";
  std::size_t count = 0;
  each_word(text, Domain::symbols, [&](std::string_view, std::size_t, std::size_t) { ++count; });
  EXPECT_EQ(count, 1'000'000u);
}

}  // namespace
}  // namespace mercer
