#include "data/byte_counts.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/random.hpp"

namespace mercer {
namespace {

std::string random_text(Random& random, std::size_t size) {
  static constexpr std::string_view alphabet = "\n\n\r\" \t0:1d#";
  std::string text(size, ' ');
  for (char& c : text) c = alphabet[random.below(alphabet.size())];
  return text;
}

TEST(ByteCounts, LinesAgreeWithACountByHand) {
  Random random(3);
  for (std::size_t size = 0; size < 400; ++size)
    for (const bool long_text : {false, true}) {
      const std::string text = random_text(random, long_text ? size * 23 : size);
      LineCounts expected;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        ++expected.lines;
        expected.blanks += line.empty() || line == "\r";
        for (const char c : line) expected.quotes += c == '"';
        begin = end + 1;
      }
      const LineCounts counts = count_lines(text);
      ASSERT_EQ(counts.lines, expected.lines);
      ASSERT_EQ(counts.blanks, expected.blanks);
      ASSERT_EQ(counts.quotes, expected.quotes);
    }
}

TEST(ByteCounts, EntriesAgreeWithACountByHand) {
  Random random(4);
  for (std::size_t size = 0; size < 400; ++size)
    for (const bool long_text : {false, true}) {
      const std::string text = random_text(random, long_text ? size * 23 : size);
      EntryCounts expected;
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ':') continue;
        const bool query = i > 0 && text[i - 1] == 'd';
        ++expected.colons;
        expected.queries += query;
        const bool ends =
            i + 2 >= text.size() || std::string_view(" \t\r\n").find(text[i + 2]) != std::string_view::npos;
        expected.zeros += !query && i + 1 < text.size() && text[i + 1] == '0' && ends;
      }
      const EntryCounts counts = count_entries(text);
      ASSERT_EQ(counts.colons, expected.colons);
      ASSERT_EQ(counts.queries, expected.queries);
      ASSERT_EQ(counts.zeros, expected.zeros) << text;
    }
}

}  // namespace
}  // namespace mercer
