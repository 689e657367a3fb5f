#include "data/chunks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "base/random.hpp"

namespace mercer {
namespace {

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

TEST(Chunks, TheFirstFailureInOrderIsReported) {
  for (const int threads : {1, 2, 4})
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> ran{0};
      try {
        for_each_chunk(100, threads, [&](std::size_t i) {
          ++ran;
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7");
      }
      EXPECT_GE(ran, 8);
    }
}

}  // namespace
}  // namespace mercer
