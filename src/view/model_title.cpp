#include "view/model_title.hpp"

#include <fmt/format.h>

#include <variant>

namespace mercer {

namespace {

std::string text_of(const Argument& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{:.4g}", std::get<double>(value)) : std::get<Word>(value).text;
}

}  // namespace

std::string method_title(const Method& method) {
  const AnyMethod& standard = method_named(method.name());
  std::string title(method.name());
  for (const MethodParameter& parameter : method.parameters()) {
    const std::string value = text_of(method.get(parameter.name));
    if (value != text_of(standard->get(parameter.name))) title += fmt::format(" {}={}", parameter.name, value);
  }
  return title;
}

std::string model_title(const Model& model) { return fmt::format("{} · {}", method_title(*model.method), model.kernel().text()); }

}  // namespace mercer
