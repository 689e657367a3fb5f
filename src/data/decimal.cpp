#include "data/decimal.hpp"

#include <algorithm>
#include <cstddef>

namespace mercer {

namespace {

bool is_missing(std::string_view text) noexcept {
  return text.size() <= 4 && std::ranges::find(missing_words, text) != std::end(missing_words);
}

bool equals_lower(std::string_view text, std::string_view lower) noexcept {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a | 0x20) : a) == b; });
}

/// For a decimal out of range: is it too large, rather than too small? The sign of the exponent of its first
/// digit that is not 0 tells.
bool is_large(std::string_view text) noexcept {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t leading = digits.find_first_of("123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto place = std::ptrdiff_t(point) - std::ptrdiff_t(leading);
  if (e == text.npos) return place > 0;
  std::string_view shift = text.substr(e + 1);
  const bool down = shift.starts_with('-');
  if (down || shift.starts_with('+')) shift.remove_prefix(1);
  std::ptrdiff_t exponent = 0;
  for (const char c : shift) exponent = std::min<std::ptrdiff_t>(exponent * 10 + (c - '0'), 1 << 30);
  return place + (down ? -exponent : exponent) > 0;
}

}  // namespace

namespace detail {

const char* parse_any_decimal(const char* first, const char* last, double& value) noexcept {
  if (first != last && *first == '+') ++first;
  const auto [end, error] = std::from_chars(first, last, value);
  return error == std::errc{} ? end : nullptr;
}

}  // namespace detail

Number read_number(std::string_view text) noexcept {
  using Kind = Number::Kind;
  const char* const last = text.data() + text.size();
  double value = 0;
  if (!text.empty() && parse_decimal(text.data(), last, value) == last) return {Kind::number, value};
  if (is_missing(text)) return {Kind::missing, std::numeric_limits<double>::quiet_NaN()};

  std::string_view magnitude = text;
  const bool negative = magnitude.starts_with('-');
  if (negative || magnitude.starts_with('+')) magnitude.remove_prefix(1);
  if (equals_lower(magnitude, "inf") || equals_lower(magnitude, "infinity"))
    return {Kind::infinite, negative ? -HUGE_VAL : HUGE_VAL};
  if (magnitude.empty() || !(detail::is_digit(magnitude[0]) || magnitude[0] == '.')) return {Kind::text, 0};
  const auto [end, error] = std::from_chars(magnitude.data(), last, value);
  if (end != last || error != std::errc::result_out_of_range) return {Kind::text, 0};
  if (is_large(magnitude)) return {Kind::too_large, 0};
  return {Kind::number, negative ? -0.0 : 0.0};
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace mercer
