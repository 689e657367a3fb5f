#include "data/tab_quotes.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/refusal.hpp"
#include "mercer/dataset.hpp"

namespace mercer {
namespace {

TEST(TabQuotes, ThatFollowTheRulesStay) {
  for (const char* text : {"a\tb", "", "\"a\"\tb", "x\t\"two\nlines\ta\"\n", "\"say \"\"yes\"\"\"\tb\n",
                           " \"a\" \t \"b\" \r\nc\td", "\"\""})
    EXPECT_EQ(with_tab_quotes(text), "") << text;
}

TEST(TabQuotes, InsideACellAreText) {
  EXPECT_EQ(with_tab_quotes("ham\tHe said \"yes\"\nspam\tno"), "ham\t\"He said \"\"yes\"\"\"\nspam\tno");
  EXPECT_EQ(with_tab_quotes("a\t\"Go\" now\n"), "a\t\"\"\"Go\"\" now\"\n");
  EXPECT_EQ(with_tab_quotes("5\" pipe\tx"), "\"5\"\" pipe\"\tx");
  EXPECT_EQ(with_tab_quotes("\""), "\"\"\"\"");
}

TEST(TabQuotes, AroundACellStillEncloseIt) {
  EXPECT_EQ(with_tab_quotes("\"a \"\"b\"\"\"\t5\"\r\n\"c\" \td"), "\"a \"\"b\"\"\"\t\"5\"\"\"\n\"c\"\td");
  EXPECT_EQ(with_tab_quotes("\"yes\" or \"no\"\t1"), "\"\"\"yes\"\" or \"\"no\"\"\"\t1")
      << "two quoted words are no quoted cell";
}

TEST(TabQuotes, ThatAreNeverClosedEndWithTheLine) {
  EXPECT_EQ(with_tab_quotes("a\t\"b\nc\td"), "a\t\"\"\"b\"\nc\td");
}

TEST(TabQuotes, OfAFileAreReadAndTold) {
  const ScratchFolder folder;
  std::ofstream(folder / "messages.tsv")
      << "y\tword\nham\tthe \"best\"\nspam\t\"win\"\nham\t\"best\" of\nspam\twin\n";
  const Dataset data = read(folder / "messages.tsv");
  ASSERT_EQ(data.rows(), 4u);
  EXPECT_EQ(data.points.names(),
            (std::vector<std::string>{"word=\"best\" of", "word=the \"best\"", "word=win"}));
  EXPECT_EQ(said(data.notes),
            (std::vector<std::string>{
                "quotes inside cells are read as text, since not all of them stand around cells"}));
  std::ofstream(folder / "strict.csv") << "y,word\nham,the \"best\"\n";
  EXPECT_NE(refusal(ErrorKind::data, [&] { read(folder / "strict.csv"); }).find("a quote inside a field"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
