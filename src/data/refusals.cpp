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
      source.refuse(text.data(), fmt::format("{} is a missing value", in_quotes(text)), "fill it in",
                    {{Remedy::treat_missing, "mean or drop"}});
    case Kind::infinite:
      if (missing != Missing::refuse) return std::numeric_limits<double>::quiet_NaN();
      source.refuse(text.data(), fmt::format("{} is not finite", in_quotes(text)), "use a finite number",
                    {{Remedy::treat_missing, "mean or drop"}});
    case Kind::too_large:
      source.refuse(text.data(), fmt::format("{} is too large for a double", in_quotes(text)),
                    "the largest is 1.7976931348623157e+308");
    case Kind::text:
      break;
  }
  source.refuse(text.data(), fmt::format("{} is not a number", in_quotes(text)), fmt::format("{}", hint));
}

void refuse_file(const std::string& name, const std::string& what, std::string hint) {
  throw Error(ErrorCode::invalid_file, what, {.file = name, .hint = std::move(hint)});
}

void refuse_float(const TextSource& source, std::string_view text) {
  source.refuse(text.data(), fmt::format("{} is too large for a float32", in_quotes(text)), "use float64");
}

}  // namespace mercer
