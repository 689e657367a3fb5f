#include "plot/model_title.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <variant>

namespace mercer {

namespace {

std::string text_of(const Argument& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{:.4g}", std::get<double>(value))
                                               : std::get<Word>(value).text;
}

}  // namespace

std::vector<std::pair<std::string, Argument>> changed_parameters(const Method& method) {
  const AnyMethod& standard = method_named(method.name());
  std::vector<std::pair<std::string, Argument>> changed;
  for (const MethodParameter& parameter : method.parameters())
    if (text_of(method.get(parameter.name)) != text_of(standard->get(parameter.name)))
      changed.emplace_back(parameter.name, method.get(parameter.name));
  return changed;
}

std::string method_title(const Method& method) {
  std::string title(method.name());
  for (const auto& [name, value] : changed_parameters(method))
    title += fmt::format(" {}={}", name, text_of(value));
  return title;
}

// A number begins where a digit follows no letter or digit, and lasts as far as from_chars reads.
std::string rounded(std::string_view expression) {
  constexpr std::size_t longest = 6;  // characters: five digits and a point
  std::string out;
  for (std::size_t i = 0; i < expression.size();) {
    const char* begin = expression.data() + i;
    double value = 0;
    const bool may_begin = std::isdigit(static_cast<unsigned char>(*begin)) &&
                           (i == 0 || !(std::isalnum(static_cast<unsigned char>(begin[-1])) ||
                                        begin[-1] == '_' || begin[-1] == '.'));
    const auto [end, fault] = may_begin ? std::from_chars(begin, expression.data() + expression.size(), value)
                                        : std::from_chars_result{begin + 1, std::errc()};
    const std::size_t length = fault == std::errc() ? std::size_t(end - begin) : 1;
    out += length > longest ? fmt::format("{:.4g}", value) : std::string(begin, length);
    i += length;
  }
  return out;
}

std::string model_title(const Model& model) {
  return fmt::format("{} · {}", method_title(*model.method), rounded(model.kernel().text()));
}

}  // namespace mercer
