#include "data/decimal.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <random>

#include "base/random.hpp"

namespace mercer {
namespace {

using Kind = Number::Kind;

/// A decimal with a random number of digits, point and exponent.
std::string random_decimal(Random& random) {
  std::string text;
  if (random.below(3) == 0) text += '-';
  const std::uint64_t whole = random.below(random.below(10) == 0 ? 25 : 4);
  for (std::uint64_t i = 0; i < whole; ++i) text += char('0' + random.below(10));
  const std::uint64_t fraction = random.below(random.below(4) == 0 ? 25 : 10);
  if (fraction > 0 || random.below(8) == 0) text += '.';
  for (std::uint64_t i = 0; i < fraction; ++i) text += char('0' + random.below(10));
  if (whole + fraction == 0) text += '7';
  if (random.below(3) == 0) {
    text += random.below(2) ? 'e' : 'E';
    if (random.below(2)) text += random.below(2) ? '-' : '+';
    text += std::to_string(random.below(random.below(6) == 0 ? 330 : 30));
  }
  return text;
}

TEST(Decimal, TheFastPathEqualsFromCharsBitForBit) {
  Random random(1);
  int compared = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const std::string text = random_decimal(random);
    double fast = 0, exact = 0;
    const char* end = parse_decimal(text.data(), text.data() + text.size(), fast);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
    if (error != std::errc{}) continue;
    ASSERT_EQ(end, stop) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(fast), std::bit_cast<std::uint64_t>(exact)) << text;
    ++compared;
  }
  EXPECT_GT(compared, 2'900'000);
}

TEST(Decimal, StopsAtTheFirstByteThatIsNoneOfTheNumber) {
  double value;
  for (const std::string tail :
       {" ", ",5", ":3", "\n", "abcdefgh", ".5", "-1", "\xff\xff\xff\xff\xff\xff\xff\xff"})
    for (const std::string number : {"1", "12.5", "-0.001", "3e5", "1234567.12345678"}) {
      const std::string text = number + (number == "1" && tail == ".5" ? "" : tail);
      const char* end = parse_decimal(text.data(), text.data() + text.size(), value);
      ASSERT_EQ(end, text.data() + number.size()) << text;
      EXPECT_EQ(value, std::strtod(number.c_str(), nullptr));
    }
  const std::string unfinished = "2e+";
  EXPECT_EQ(parse_decimal(unfinished.data(), unfinished.data() + 3, value), unfinished.data() + 1);
}

TEST(Decimal, EveryDoubleAndFloatReadsBackFromItsText) {
  Random random(2);
  for (int i = 0; i < 300'000; ++i) {
    const auto wide = std::bit_cast<double>(random.bits());
    const auto narrow_bits = std::bit_cast<float>(std::uint32_t(random.bits()));
    if (std::isfinite(wide)) {
      const Number number = read_number(number_text(wide));
      ASSERT_EQ(number.kind, Kind::number);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(number.value), std::bit_cast<std::uint64_t>(wide));
    }
    if (!std::isfinite(narrow_bits)) continue;
    std::string text;
    append_number(text, narrow_bits);
    float back;
    ASSERT_TRUE(narrow(read_number(text).value, text, back)) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back), std::bit_cast<std::uint32_t>(narrow_bits)) << text;
  }
}

TEST(Decimal, AFloatIsRoundedOnceFromTheText) {
  // Just above the middle of 1 and the next float: as a double it is the middle, which rounds to even, to 1.
  const std::string text = "1.000000059604644775390625000000001";
  float value;
  ASSERT_TRUE(narrow(read_number(text).value, text, value));
  EXPECT_EQ(value, std::nextafter(1.0f, 2.0f));
  ASSERT_TRUE(narrow(read_number("+" + text).value, "+" + text, value));
  EXPECT_EQ(value, std::nextafter(1.0f, 2.0f));
  EXPECT_TRUE(narrow(read_number("3.4028235e+38").value, "3.4028235e+38", value));
  EXPECT_EQ(value, FLT_MAX);
  EXPECT_FALSE(narrow(1e39, "1e39", value));
}

TEST(Decimal, TellsNumbersFromEverythingElse) {
  for (const char* text : {"", "NA", "N/A", "NaN", "nan", "null", "?"})
    EXPECT_EQ(read_number(text).kind, Kind::missing) << text;
  for (const char* text : {"inf", "-inf", "+Inf", "Infinity", "-INFINITY"})
    EXPECT_EQ(read_number(text).kind, Kind::infinite) << text;
  for (const char* text : {"1e400", "-1e400", "1e99999999999999999999", "123456789e301", "0.001e312"})
    EXPECT_EQ(read_number(text).kind, Kind::too_large) << text;
  for (const char* text :
       {"1e-400", "0.0001e-320", "1e-99999999999999999999", "0e99999", "0.0e99999999999"}) {
    EXPECT_EQ(read_number(text).kind, Kind::number) << text;
    EXPECT_EQ(read_number(text).value, 0) << text;
  }
  for (const char* text : {"1.2.3", "12x",   "+-1", "--1", "++1", "-",      "+",    ".",  "e5", "0x10",
                           "1,5",   "1_000", " 1",  "1 ",  "na",  "nan(1)", "infi", "-.", "1e", "1e+"})
    EXPECT_EQ(read_number(text).kind, Kind::text) << text;
  EXPECT_EQ(read_number("+1").value, 1);
  EXPECT_EQ(read_number(".5").value, 0.5);
  EXPECT_EQ(read_number("5.").value, 5);
  EXPECT_TRUE(std::signbit(read_number("-0").value));
  EXPECT_TRUE(std::signbit(read_number("-1e-400").value));
}

}  // namespace
}  // namespace mercer
