#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "base/random.hpp"
#include "data/chunks.hpp"

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

std::string joined(const std::vector<std::string_view>& pieces) {
  std::string all;
  for (const std::string_view piece : pieces) all += piece;
  return all;
}

TEST(Chunks, LinesStayWhole) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::string text(1 + random.below(200), 'x');
    for (char& c : text)
      if (random.below(8) == 0) c = '\n';
    const auto pieces = cut_at_lines(text, 1 + random.below(50));
    ASSERT_EQ(joined(pieces), text);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) ASSERT_EQ(pieces[i].back(), '\n');
    for (const auto piece : pieces) ASSERT_FALSE(piece.empty());
  }
}

TEST(Chunks, RecordsStayWholeWhateverStandsBetweenQuotes) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    std::vector<std::size_t> ends;  // of records
    for (std::uint64_t record = 0; record < 1 + random.below(12); ++record) {
      for (std::uint64_t field = 0; field < 1 + random.below(3); ++field) {
        if (field) text += ',';
        text += random.below(2) ? "\"a\n\"\"b,\n\"" : "12";
      }
      text += '\n';
      ends.push_back(text.size());
    }
    const TextSource source("f", text);
    for (const std::size_t bytes : {1, 2, 3, 7, 20, 1000}) {
      const auto pieces = cut_at_records(source, text, bytes, 1);
      ASSERT_EQ(joined(pieces), text);
      std::size_t at = 0;
      for (const auto piece : pieces) {
        at += piece.size();
        ASSERT_TRUE(std::find(ends.begin(), ends.end(), at) != ends.end()) << text;
      }
    }
  }
}

}  // namespace
}  // namespace mercer
