#include "kernels/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

std::string Choice::text() const {
  const std::string by = "by=" + to_text(Argument(Word{name}));
  if (!info || info->parameter.empty()) return by;
  return fmt::format("{}, {}={}", by, info->parameter, to_text(parameter));
}

Choice choose(const std::vector<PointMapInfo>& known, const Combinator::Arguments& arguments) {
  Choice choice;
  for (const auto& [name, argument] : arguments) {
    if (name != "by") continue;
    if (const double* column = std::get_if<double>(&argument))
      choice.name = to_text(*column);
    else if (const Word* word = std::get_if<Word>(&argument))
      choice.name = word->text;
    else
      throw Error(ErrorCode::invalid_parameter, "by must be a name, not a list");
  }
  const auto found = std::ranges::find(known, choice.name, &PointMapInfo::name);
  if (found != known.end()) {
    choice.info = &*found;
    choice.parameter = found->default_value;
  }
  for (const auto& [name, argument] : arguments) {
    if (name == "by") continue;
    if (!choice.info || name != choice.info->parameter)
      throw Error(ErrorCode::invalid_kernel, fmt::format("by={} takes no parameter {}", choice.name, name));
    const double* number = std::get_if<double>(&argument);
    const bool fits =
        number && (choice.info->integer ? *number >= 1 && *number <= 1000 && *number == std::floor(*number)
                                        : *number > 0 && std::isfinite(*number));
    if (!fits)
      throw Error(
          ErrorCode::invalid_parameter,
          fmt::format("{} must be {}, not {}", name,
                      choice.info->integer ? "a whole number from 1 to 1000" : "> 0", to_text(argument)));
    choice.parameter = *number;
  }
  return choice;
}

Choice choose(const std::vector<PointMapInfo>& known, const std::string& name) {
  return choose(known, Combinator::Arguments{{"by", Word{name}}});
}

std::string user_key() {
  static std::atomic<int> count{0};
  return fmt::format("by=<function {}>", ++count);
}

}  // namespace mercer
