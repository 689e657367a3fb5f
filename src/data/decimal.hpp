// Decimal numbers as text, exactly: what is read is the nearest double (or float), what is written is the
// shortest text that reads back bit for bit.
//
// Most numbers in files are short. A decimal m·10ᵉ with m ≤ 2⁵³ and |e| ≤ 22 is one correctly rounded
// operation on two exact doubles (Clinger 1990), several times faster than the general algorithm of
// std::from_chars, which takes the rest.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace mercer {

/// What a piece of text is when a number is expected.
struct Number {
  enum class Kind { number, missing, infinite, too_large, text };
  Kind kind = Kind::text;
  double value = 0;
};

/// The texts of missing cells.
inline constexpr std::string_view missing_words[] = {"", "NA", "N/A", "NaN", "nan", "null", "?"};

/// Reads the whole of `text`. Missing: one of the words above. A number too small for a double is 0. A
/// leading
/// + is taken.
Number read_number(std::string_view text) noexcept;

/// The shortest text that reads back as `value`.
std::string number_text(double value);

namespace detail {

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char c) noexcept { return unsigned(c - '0') < 10; }

/// Appends the digits at p to `mantissa` and moves p behind them. Eight bytes at a time: the digits in front
/// of the first other byte are moved to the top, zeros take their place, and three multiplications add up
/// neighbours in parallel. Without a branch per digit there is nothing to mispredict.
inline void take_digits(const char*& p, const char* last, std::uint64_t& mantissa) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    static constexpr std::uint64_t scales[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    while (last - p >= 8) {
      std::uint64_t eight;
      std::memcpy(&eight, p, 8);
      const std::uint64_t others =
          ((eight + 0x4646464646464646u) | (eight - 0x3030303030303030u)) & 0x8080808080808080u;
      const int digits = others ? std::countr_zero(others) / 8 : 8;
      if (digits == 0) return;
      eight <<= 64 - 8 * digits;
      eight = (eight & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
      eight = (eight & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
      mantissa = mantissa * scales[digits] + ((eight & 0x0000ffff0000ffffu) * 42949672960001 >> 32);
      p += digits;
      if (digits < 8) return;
    }
  }
  while (p != last && is_digit(*p)) mantissa = mantissa * 10 + std::uint64_t(*p++ - '0');
}

/// The general case; `first` is behind a leading +.
const char* parse_any_decimal(const char* first, const char* last, double& value) noexcept;

}  // namespace detail

/// Reads the longest decimal number at `first` and returns where it ends, or nullptr where there is none or
/// it is out of the range of a double.
inline const char* parse_decimal(const char* first, const char* last, double& value) noexcept {
  const char* p = first;
  const bool negative = p != last && *p == '-';
  p += p != last && ((*p == '-') | (*p == '+'));
  const char* const unsigned_first = p;
  std::uint64_t mantissa = 0;
  while (p != last && detail::is_digit(*p))
    mantissa = mantissa * 10 + std::uint64_t(*p++ - '0');  // mostly one
  auto digits = p - unsigned_first;
  std::ptrdiff_t exponent = 0;
  if (p != last && *p == '.') {
    const char* const fraction = ++p;
    detail::take_digits(p, last, mantissa);
    exponent = fraction - p;
    digits -= exponent;
  }
  if (digits == 0) return nullptr;
  if (p != last && (*p | 0x20) == 'e') {
    const char* q = p + 1;
    const bool down = q != last && *q == '-';
    if (q != last && (*q == '-' || *q == '+')) ++q;
    const char* const exponent_first = q;
    int shift = 0;
    while (q != last && detail::is_digit(*q) && q - exponent_first < 4) shift = shift * 10 + (*q++ - '0');
    if (q != last && detail::is_digit(*q)) return detail::parse_any_decimal(first, last, value);
    if (q != exponent_first) {
      exponent += down ? -shift : shift;
      p = q;
    }
  }
  if (digits > 19 || mantissa > (1ull << 53) || exponent < -22 || exponent > 22)
    return detail::parse_any_decimal(first, last, value);
  const double magnitude = exponent < 0 ? double(mantissa) / detail::powers_of_ten[-exponent]
                                        : double(mantissa) * detail::powers_of_ten[exponent];
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | std::uint64_t(negative) << 63);
  return p;
}

/// Stores `value`, read from `text`, as a T; false where it is too large for one. A float is rounded once,
/// from the text: where the double lies halfway between two floats, or below the normal ones, the text is
/// read again.
template <class T>
bool narrow(double value, std::string_view text, T& out) noexcept {
  out = T(value);
  if constexpr (std::is_same_v<T, float>) {
    const bool halfway = (std::bit_cast<std::uint64_t>(value) & 0x1fffffffu) == 0x10000000u;
    if (halfway || (std::abs(value) < double(std::numeric_limits<float>::min()) && value != 0)) {
      if (text.starts_with('+')) text.remove_prefix(1);
      float direct;
      if (std::from_chars(text.data(), text.data() + text.size(), direct).ec == std::errc{}) out = direct;
    }
    return !std::isinf(out);
  }
  return true;
}

/// Appends the shortest text of a float or double that reads back as the same T.
template <class T>
void append_number(std::string& out, T value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace mercer
