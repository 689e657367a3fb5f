#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "mercer/leaf.hpp"

namespace mercer {
namespace {

TEST(FeatureRow, AddsUpEqualKeysWhateverTheirNumber) {
  for (const std::size_t count : {0, 1, 2, 4095, 9000, 50000}) {
    Random random(1);
    FeatureRow row;
    std::map<std::uint64_t, double> expected;
    for (std::size_t e = 0; e < count; ++e) {
      const std::uint64_t key = random.below(count / 3 + 1);
      const double value = double(random.below(5)) - 2;
      row.add(key, value);
      expected[key] += value;
    }
    std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
    const auto& entries = row.entries();
    ASSERT_EQ(entries.size(), expected.size());
    std::size_t e = 0;
    for (const auto& [key, value] : expected) {
      EXPECT_EQ(entries[e].key, key);
      EXPECT_EQ(entries[e++].value, value);
    }
    row.clear();
    EXPECT_TRUE(row.entries().empty());
  }
}

TEST(FeatureRow, KeepsThePartsAsTheyCame) {
  FeatureRow row(true);
  row.add(7, 1, {0, 3});
  row.add(7, 1, {5, 8});
  ASSERT_EQ(row.entries().size(), 2u);
  EXPECT_EQ(row.entries()[1].part.begin, 5u);
  EXPECT_TRUE(row.keeps_parts());
}

TEST(Keys, DifferForDifferentBytesOrdersAndSeeds) {
  EXPECT_EQ(key_of("ACGTACGTA"), key_of("ACGTACGTA"));
  std::map<std::uint64_t, std::string> seen;
  for (const std::string text : {"", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "abcdefgi"})
    EXPECT_TRUE(seen.emplace(key_of(text), text).second) << text;
  EXPECT_NE(key_of(1, 2), key_of(2, 1));
  EXPECT_NE(key_of("a", 1), key_of("a", 2));
  EXPECT_NE(key_of(std::string_view("a\0", 2)), key_of("a"));
}

}  // namespace
}  // namespace mercer
