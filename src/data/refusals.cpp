#include "data/refusals.hpp"

#include <fmt/format.h>

#include <limits>

#include "data/decimal.hpp"

namespace mercer {

double unusual_value(const TextSource& source, std::string_view text, Missing missing,
                     std::string_view hint) {
  using Kind = Number::Kind;
  const Number number = read_number(text);
  switch (number.kind) {
    case Kind::number:
      return number.value;
    case Kind::missing:
      if (missing != Missing::refuse) return std::numeric_limits<double>::quiet_NaN();
      source.refuse(
          text.data(),
          fmt::format("{} is a missing value; fill it in, or set missing to mean or drop", in_quotes(text)));
    case Kind::infinite:
      if (missing != Missing::refuse) return std::numeric_limits<double>::quiet_NaN();
      source.refuse(text.data(),
                    fmt::format("{} is not finite; use a finite number, or set missing to mean or drop",
                                in_quotes(text)));
    case Kind::too_large:
      source.refuse(text.data(),
                    fmt::format("{} is too large for a double; the largest is 1.7976931348623157e+308",
                                in_quotes(text)));
    case Kind::text:
      break;
  }
  source.refuse(text.data(), fmt::format("{} is not a number; {}", in_quotes(text), hint));
}

void refuse_file(const std::string& name, const std::string& what) { throw Error(ErrorKind::data, fmt::format("{}: {}", name, what)); }

void refuse_float(const TextSource& source, std::string_view text) {
  source.refuse(text.data(), fmt::format("{} is too large for a float32; use float64", in_quotes(text)));
}

}  // namespace mercer
