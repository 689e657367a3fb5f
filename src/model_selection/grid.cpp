// What is written for an axis: a list, or a range that is stepped through, by its exponents where its ends
// are powers.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/tune.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_values = 1000;

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, fmt::format("grid '{}': {}", text, what),
              {.hint = "write \"C=2^-5:2^15:2\" (the exponents −5, −3 … 15 of 2), \"gamma=0.1:0.5:0.1\" or "
                       "\"C=1,10,100\""});
}

double plain_number(const std::string& text, std::string_view part) {
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (part.empty() || error != std::errc() || end != part.data() + part.size() || !std::isfinite(value))
    refuse(text, fmt::format("'{}' is not a number", part));
  return value;
}

// "2^-5" or "0.1".
struct Power {
  double base = 0, exponent = 0;  // base 0: a plain number, in exponent
  double value() const { return base == 0 ? exponent : std::pow(base, exponent); }
};

Power to_power(const std::string& text, std::string_view part) {
  const auto caret = part.find('^');
  if (caret == part.npos) return {0, plain_number(text, part)};
  const Power power{plain_number(text, part.substr(0, caret)), plain_number(text, part.substr(caret + 1))};
  if (!(power.base > 0) || power.base == 1)
    refuse(text, fmt::format("the base of '{}' must be above 0 and not 1", part));
  return power;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<double> stepped(const std::string& text, const std::vector<std::string_view>& parts) {
  if (parts.size() != 3) refuse(text, "a range has a first value, a last one and a step");
  const Power first = to_power(text, parts[0]), last = to_power(text, parts[1]);
  const double step = plain_number(text, parts[2]);
  if (first.base != last.base)
    refuse(text, fmt::format("'{}' and '{}' are not powers of the same number", parts[0], parts[1]));
  const double count = std::floor((last.exponent - first.exponent) / step + 1e-9);
  if (step == 0 || !(count >= 0))
    refuse(text, fmt::format("a step of {} does not lead from '{}' to '{}'", parts[2], parts[0], parts[1]));
  if (count >= double(most_values)) refuse(text, fmt::format("there would be over {} values", most_values));
  std::vector<double> values;
  for (std::size_t i = 0; i <= std::size_t(count); ++i)
    values.push_back(Power{first.base, first.exponent + double(i) * step}.value());
  return values;
}

}  // namespace

GridAxis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse(text, "the parameter's name and '=' are missing");
  GridAxis axis{text.substr(0, equals), {}};
  const std::string_view written = std::string_view(text).substr(equals + 1);
  if (const auto parts = split(written, ':'); parts.size() > 1) {
    axis.values = stepped(text, parts);
  } else {
    for (const std::string_view part : split(written, ','))
      axis.values.push_back(to_power(text, part).value());
  }
  for (const double value : axis.values)
    if (!std::isfinite(value)) refuse(text, "a value overflows");
  return axis;
}

}  // namespace mercer
