#include <cmath>

#include "data/scratch.hpp"
#include "data/text_source.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

TEST(TextSource, CountsLinesAndByteColumnsFromOne) {
  const TextSource source("f", "ab\ncd\n\nefg");
  const char* text = source.text().data();
  EXPECT_EQ(source.place(text).line, 1u);
  EXPECT_EQ(source.place(text).column, 1u);
  EXPECT_EQ(source.place(text + 4).line, 2u);
  EXPECT_EQ(source.place(text + 4).column, 2u);
  EXPECT_EQ(source.place(text + 9).line, 4u);
  EXPECT_EQ(source.place(text + 9).column, 3u);
  EXPECT_EQ(refusal([&] { source.refuse(text + 8, "wrong; right"); }), "f:4:2: wrong; right");
}

TEST(TextSource, TheByteOrderMarkAndTheLastLineEndsAreNotText) {
  const TextSource source("f", "\xef\xbb\xbfx\n\r\n\n");
  EXPECT_EQ(source.text(), "x");
  EXPECT_EQ(source.place(source.text().data()).column, 1u);
}

TEST(TextSource, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal([] { TextSource("f", ""); }), "f:1:1: the file is empty; rows of data are needed");
  EXPECT_EQ(refusal([] { TextSource("f", "\xef\xbb\xbf\n\r\n"); }),
            "f:1:1: the file is empty; rows of data are needed");
  EXPECT_EQ(refusal([] { TextSource("f", std::string_view("1,2\n3,\0", 7)); }),
            "f:2:3: a zero byte; this is a binary or UTF-16 file where UTF-8 text is needed");
  EXPECT_EQ(refusal([] { TextSource("f", "abc\x01\x02\x03xyz"); }),
            "f:1:4: many control characters; this is a binary file where UTF-8 text is needed");
}

TEST(TextSource, ReadsTheSameAfterForgetting) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  const MappedFile file(scratch.write("f.txt", text));
  const TextSource source(file);
  source.forget(source.text().substr(10000, 200000));
  EXPECT_EQ(source.text(), std::string_view(text).substr(0, text.size() - 1));
}

TEST(TextSource, ListsAreSplitAtCommas) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split_at_commas("a,b b,"), (Parts{"a", "b b", ""}));
  EXPECT_EQ(split_at_commas("a"), Parts{"a"});
  EXPECT_EQ(split_at_commas(""), Parts{""});
  EXPECT_EQ(split_at_commas(",a"), (Parts{"", "a"}));
}

TEST(TextSource, QuotesAreCutAndControlCharactersWrittenOut) {
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_EQ(in_quotes("a\tb\x7f"), "'a\\x09b\\x7f'");
  EXPECT_EQ(in_quotes("0123456789012345678901234567890123456789xyz"),
            "'0123456789012345678901234567890123456789…'");
  EXPECT_EQ(in_quotes("012345678901234567890123456789012345678éé"),
            "'012345678901234567890123456789012345678…'");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}), "'a', 'b'");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}, 2), "'a', 'b' and 1 more");
}

TEST(Refusals, OneWordingForEveryTextFormat) {
  const TextSource source("f", "inf NA 1e400 1e-400 abc");
  const auto field = [&](std::size_t begin, std::size_t size) { return source.text().substr(begin, size); };
  const auto message = [&](std::string_view text, Missing missing) {
    return refusal([&] { unusual_value(source, text, missing, "write it so"); });
  };
  EXPECT_EQ(message(field(0, 3), Missing::refuse),
            "f:1:1: 'inf' is not finite; use a finite number, or set missing to mean or drop");
  EXPECT_EQ(message(field(4, 2), Missing::refuse),
            "f:1:5: 'NA' is a missing value; fill it in, or set missing to mean or drop");
  EXPECT_EQ(message(field(7, 5), Missing::drop),
            "f:1:8: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  EXPECT_EQ(message(field(20, 3), Missing::drop), "f:1:21: 'abc' is not a number; write it so");
  EXPECT_TRUE(std::isnan(unusual_value(source, field(0, 3), Missing::drop)));
  EXPECT_TRUE(std::isnan(unusual_value(source, field(4, 2), Missing::mean)));
  EXPECT_EQ(unusual_value(source, field(13, 6), Missing::refuse), 0);
  EXPECT_EQ(refusal([&] { refuse_float(source, field(7, 5)); }),
            "f:1:8: '1e400' is too large for a float32; use float64");
}

}  // namespace
}  // namespace mercer
