#include "data/fields.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

std::vector<std::string> record(std::string_view text, char delimiter = ',') {
  const TextSource source("f", text);
  std::vector<Field> fields;
  scan_record(source, source.text().data(), source.text().data() + source.text().size(), delimiter, fields);
  std::vector<std::string> result;
  std::string scratch;
  for (const Field& field : fields) result.emplace_back(field.unescape(scratch));
  return result;
}

using Texts = std::vector<std::string>;

TEST(Fields, DelimitersSpacesAndQuotes) {
  EXPECT_EQ(record("a,b,c\nd"), (Texts{"a", "b", "c"}));
  EXPECT_EQ(record(" a b , ,c\r\nd"), (Texts{"a b", "", "c"}));
  EXPECT_EQ(record("a,"), (Texts{"a", ""}));
  EXPECT_EQ(record(","), (Texts{"", ""}));
  EXPECT_EQ(record("a\t b,c\t\td", '\t'), (Texts{"a", "b,c", "", "d"}));
  EXPECT_EQ(record("\"a,\nb\",\" c \" ,\"\""), (Texts{"a,\nb", " c ", ""}));
  EXPECT_EQ(record("\"say \"\"hi\"\"\",\"\"\"\""), (Texts{"say \"hi\"", "\""}));
  EXPECT_EQ(record("a long field of many words,and another"),
            (Texts{"a long field of many words", "and another"}));
}

TEST(Fields, QuotesOutOfPlaceAreRefused) {
  EXPECT_EQ(refusal([] { record("a,\"b\nc"); }),
            "f:1:3: a quote is opened and never closed; close it, or double a quote that is text");
  EXPECT_EQ(refusal([] { record("a,\"b\" c"); }),
            "f:1:7: text behind a closing quote; double a quote that is text, or put a delimiter here");
  EXPECT_EQ(refusal([] { record("a,5\" pipe"); }),
            "f:1:4: a quote inside a field; put the whole field between quotes and double the quote in it");
}

TEST(Fields, BlankLines) {
  const std::string text = "\r\nx";
  EXPECT_TRUE(is_blank_line(text.data(), text.data() + 3));
  EXPECT_EQ(skip_blank_line(text.data(), text.data() + 3), text.data() + 2);
  EXPECT_FALSE(is_blank_line(text.data() + 2, text.data() + 3));
}

}  // namespace
}  // namespace mercer
