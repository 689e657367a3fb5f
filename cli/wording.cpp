#include "cli/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mercer::cli {

namespace {

/// As one word of a shell.
std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  return text.find('"') == text.npos ? fmt::format("\"{}\"", text) : fmt::format("'{}'", text);
}

}  // namespace

std::string flag_of(std::string_view parameter) {
  if (parameter == "epsilon") return "--tube";  // not to be confused with a tolerance
  std::string flag = "--" + std::string(parameter);
  for (char& c : flag) c = c == '_' ? '-' : c;
  return flag;
}

std::string parameter_of(const std::string& word) { return word == "tube" ? "epsilon" : word; }

std::string flag_words(const Hint& hint) {
  const std::string& value = hint.value;
  switch (hint.remedy) {
    case Remedy::name_target:
      return "name its column with --target";
    case Remedy::name_other_target:
      return "name another column with --target";
    case Remedy::read_as_classes:
      return "read it as classes with --task classes";
    case Remedy::read_as_numbers:
      return "read it as numbers with --task real";
    case Remedy::drop_column:
      return fmt::format("leave it out with --drop {}", shell_word(value));
    case Remedy::keep_column:
      return value.empty() ? "--keep uses them" : fmt::format("--keep {} uses it", shell_word(value));
    case Remedy::skip_bad_rows:
      return "skip such rows with --skip-bad";
    case Remedy::treat_missing:
      return fmt::format("use --missing {}", value);
    case Remedy::scale_columns:
      return "scale the columns with --scale standard";
    case Remedy::take_indefinite:
      return "--allow-indefinite takes it all the same (mercer check shows the eigenvalues)";
    case Remedy::choose_solver:
      return "leave out --solver";
    case Remedy::start_anew:
      return "leave out --resume";
    case Remedy::approximate:
      return fmt::format("approximate the kernel with --approx {}", value);
    case Remedy::no_approximation:
      return "--approx none";
    case Remedy::more_memory:
      return "raise --memory";
    case Remedy::more_time:
      return "raise --time";
    case Remedy::fit_probabilities:
      return "fit the model with --proba";
    case Remedy::list_names:
      return fmt::format("mercer {} lists all", value);
    case Remedy::search_further:
      return fmt::format("--grid \"{}=…\" searches further", value);
    case Remedy::search_kernel:
      return fmt::format("--kernel {} --tune", shell_word(value));
    case Remedy::search_axes:
      return "name one or two parameters, as in --grid C=2^-5:2^15:2";
  }
  return plain_words(hint);
}

}  // namespace mercer::cli
