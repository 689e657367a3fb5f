#include "data/number_codes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace mercer {
namespace {

TEST(NumberCodes, CodesFollowTheOrderOfAppearance) {
  Random random(15);
  NumberCodes codes;
  std::map<double, std::int32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const double value = double(random.below(3000)) - 1500 + (random.below(2) ? 0.5 : 0);
    const auto [entry, added] = expected.try_emplace(value, std::int32_t(expected.size()));
    ASSERT_EQ(codes.code(value), entry->second);
  }
  ASSERT_EQ(codes.values().size(), expected.size());
  for (const auto& [value, code] : expected) EXPECT_EQ(codes.values()[std::size_t(code)], value);
}

}  // namespace
}  // namespace mercer
