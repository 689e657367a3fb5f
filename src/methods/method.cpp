#include "mercer/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

std::vector<std::string> names_of(const auto& list, auto name) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.emplace_back(name(entry));
  return names;
}

}  // namespace

const AnyMethod& method_named(std::string_view name) {
  for (const AnyMethod& method : methods())
    if (method->name() == name) return method;
  const auto known = names_of(methods(), [](const AnyMethod& m) { return m->name(); });
  throw Error(ErrorCode::unknown_name, fmt::format("unknown method '{}'", name),
              {.hint = suggestion(name, known)});
}

bool may_be_left_out(const Method& method, const MethodParameter& parameter) {
  const Argument standard = method_named(method.name())->get(parameter.name);
  return parameter.choices.empty() && std::holds_alternative<Word>(standard);
}

namespace detail {

void refuse_parameter(std::string_view method, std::string_view parameter) {
  const auto known =
      names_of(method_named(method)->parameters(), [](const MethodParameter& p) { return p.name; });
  throw Error(ErrorCode::unknown_name, fmt::format("{} has no parameter '{}'", method, parameter),
              {.value = std::string(parameter), .hint = suggestion(parameter, known)});
}

void assign_parameter(std::string_view method, const MethodParameter& parameter, double& value,
                      const Argument& argument) {
  const double* number = std::get_if<double>(&argument);
  if (!number)
    throw Error::of_parameter(method, parameter.name,
                              fmt::format("must be a number {}", parameter.interval.text), "");
  const Interval& range = parameter.interval;
  if (!range.contains(*number))
    throw Error::of_parameter(method, parameter.name, fmt::format("must be {}", range.text),
                              fmt::format("{:g}", *number));
  value = *number;
}

void assign_parameter(std::string_view method, const MethodParameter& parameter, int& value,
                      const Argument& argument) {
  double number = 0;
  assign_parameter(method, parameter, number, argument);
  if (number != std::floor(number) || number > std::numeric_limits<int>::max())
    throw Error::of_parameter(method, parameter.name, fmt::format("must be {}", parameter.interval.text),
                              fmt::format("{:g}", number));
  value = int(number);
}

void assign_parameter(std::string_view method, const MethodParameter& parameter, std::optional<double>& value,
                      const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  if (word && word->text == not_given) {
    value.reset();
    return;
  }
  double number = 0;
  assign_parameter(method, parameter, number, argument);
  value = number;
}

void assign_parameter(std::string_view method, const MethodParameter& parameter, std::string& value,
                      const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  const auto known = names_of(parameter.choices, [](std::string_view choice) { return choice; });
  const bool is_known = word && std::ranges::find(known, word->text) != known.end();
  const bool may_be_other =
      word && parameter.check_other && word->text.find_first_of("()+-*/^:") != std::string::npos;
  if (!is_known && may_be_other) {
    try {
      parameter.check_other(word->text);
    } catch (const Error& error) {
      throw error.about(method);
    }
  } else if (!is_known)
    throw Error::of_parameter(method, parameter.name,
                              fmt::format("cannot be {}", word ? "'" + word->text + "'" : "a number"), "",
                              suggestion(word ? word->text : "", known));
  value = word->text;
}

std::size_t chosen_word(std::string_view method, const MethodParameter& parameter,
                        std::span<const std::string_view> words, const Argument& argument) {
  std::string word;
  assign_parameter(method, parameter, word, argument);
  return std::size_t(std::ranges::find(words, word) - words.begin());
}

std::vector<std::string_view> default_first(std::span<const std::string_view> words, std::size_t standard) {
  std::vector<std::string_view> list(words.begin(), words.end());
  const auto place = list.begin() + std::ptrdiff_t(standard);
  std::rotate(list.begin(), place, place + 1);
  return list;
}

}  // namespace detail

}  // namespace mercer
