#include <gtest/gtest.h>

#include <filesystem>

#include "base/refusal.hpp"
#include "data/scratch.hpp"
#include "data/table_text.hpp"
#include "mercer/dataset.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

TableText text_of(std::string_view text, bool tabs = false) {
  return table_text(TextSource("f", text), tabs, 1);
}

TEST(TableText, TheDelimiterStandsAsOftenInTheSecondRecord) {
  EXPECT_EQ(text_of("a,b\n1,2\n").delimiter, ',');
  EXPECT_EQ(text_of("a;b\n1;2\n").delimiter, ';');
  EXPECT_EQ(text_of("a\tb\n1\t2\n").delimiter, '\t');
  EXPECT_EQ(text_of("a;b").delimiter, ';');
  EXPECT_EQ(text_of("a\n1\n").delimiter, ',');
  EXPECT_EQ(text_of("name;height, cm;weight\nx;1,5;2,5\n").delimiter, ';');
  EXPECT_EQ(text_of("a;b,c\n1;2,3\n").delimiter, ',');
  EXPECT_EQ(text_of("\"a,b\";c\n\"1,\n2\";3\n").delimiter, ';');
  EXPECT_EQ(text_of("note\none; two\nthree\n").delimiter, ',');
  EXPECT_EQ(text_of("a,b\n1,2,3\n").delimiter, ',');
  EXPECT_EQ(text_of("a,b\tc\n1,2\t3\n", true).delimiter, '\t');
  EXPECT_TRUE(text_of("a;b\n1;2\n").rewritten.empty());
}

TEST(TableText, CommasInNumbersOfASemicolonTableArePoints) {
  const TableText text = text_of("a;b;name\n-1,5;\" 2,25e1 \";x,y\n3;;4,5,6\n");
  EXPECT_EQ(text.rewritten, "a;b;name\n-1.5;\" 2.25e1 \";x,y\n3;;4,5,6");
  EXPECT_EQ(said(text.notes),
            std::vector<std::string>{"the commas inside numbers are read as decimal points"});
  // Points are points, so commas are not.
  EXPECT_TRUE(text_of("a;list\n1.5;1,2\n2.5;3,4\n").rewritten.empty());
  EXPECT_TRUE(text_of("a;b\n1;2\n").notes.empty());
  const Scratch scratch;
  EXPECT_EQ(read(scratch.write("d.csv", "a;b\n1,5;2\n2,5;3\n")).points.row(0), (std::vector<double>{1.5, 2}));
}

TEST(TableText, Utf8IsToldFromOtherBytes) {
  for (const char* text :
       {"", "plain", "eight by", "é", "naïve text of more than eight bytes", "€ and 𝄞", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\x80", "\xe9", "caf\xe9", "\xc0\xaf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3", "\xe2\x82",
                           "\xc3x", "long enough for eight bytes \xff"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(TableText, OtherBytesAreWindows1252) {
  EXPECT_EQ(from_windows_1252("caf\xe9 \x80 \x96 \x93q\x94 \xff \x81"), "café € – “q” ÿ \xc2\x81");
  const Scratch scratch;
  const Dataset data = read(scratch.write("d.csv",
                                          "Gr\xf6\xdf"
                                          "e;Stra\xdf"
                                          "e;y\n1,5;K\xf6ln;ja\n2,5;Bonn;nein\n"));
  EXPECT_EQ(data.points.names(), (std::vector<std::string>{"Größe", "Straße=Bonn", "Straße=Köln"}));
  EXPECT_EQ(data.points.row(0), (std::vector<double>{1.5, 0, 1}));
  EXPECT_EQ(said(data.notes),
            (std::vector<std::string>{"the file is not UTF-8 text; it is read as Windows-1252 (Latin-1)",
                                      "the commas inside numbers are read as decimal points"}));
  EXPECT_TRUE(read(scratch.write("u.csv", "\xef\xbb\xbfGröße,y\n1,2\n")).notes.empty());
}

TEST(TableText, Utf16IsRefusedByName) {
  const Scratch scratch;
  for (const std::string_view bytes : {std::string_view("\xff\xfe"
                                                        "a\0,\0b\0\n\0",
                                                        10),
                                       std::string_view("\xfe\xff\0a\0,\0b\0\n", 10)}) {
    const std::string path = scratch.write("u.csv", bytes);
    EXPECT_EQ(refusal([&] { read(path); }),
              path + ":1:1: the file is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
  }
}

TEST(TableText, AnyBytesBecomeUtf8) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string text = "a;b;c\n1,5;x;\"2,5\"\n3,5;\"y\";4\n";
    testing::damage(text, ";,\t\n\"\r0.e", random);
    std::erase(text, '\0');
    const std::string message = refusal([&] {
      const TableText result = text_of(text);
      EXPECT_TRUE(is_utf8(result.rewritten));
      EXPECT_TRUE(is_utf8(from_windows_1252(text)));
    });
    EXPECT_TRUE(message == "no error" || message.starts_with("f:")) << message;
  }
}

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
