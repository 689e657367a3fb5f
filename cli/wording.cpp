// How the library's hints are said on the command line.
#include "cli/session.hpp"

#include <fmt/format.h>

#include <map>

namespace mercer::cli {

namespace {

// Of each remedy; {} is the hint's value.
const std::map<Remedy, const char*> hint_words{
    {Remedy::name_target, "name its column with --target"},
    {Remedy::name_other_target, "name another column with --target"},
    {Remedy::read_as_classes, "read it as classes with --task classes"},
    {Remedy::read_as_numbers, "read it as numbers with --task real"},
    {Remedy::drop_column, "leave it out with --drop {}"},
    {Remedy::keep_column, "--keep {} uses it"},
    {Remedy::skip_bad_rows, "skip such rows with --skip-bad"},
    {Remedy::treat_missing, "use --missing {}"},
    {Remedy::scale_columns, "scale the columns with --scale standard"},
    {Remedy::take_indefinite, "--allow-indefinite accepts it anyway (mercer check shows the eigenvalues)"},
    {Remedy::choose_solver, "drop --solver"},
    {Remedy::start_anew, "drop --resume"},
    {Remedy::approximate, "approximate the kernel with --approx {}"},
    {Remedy::no_approximation, "--approx none"},
    {Remedy::more_memory, "raise --memory"},
    {Remedy::more_time, "raise --time"},
    {Remedy::fit_probabilities, "fit the model with --proba"},
    {Remedy::list_names, "mercer {} lists all"},
    {Remedy::search_further, "--grid \"{}=…\" searches further"},
    {Remedy::search_kernel, "--kernel {} --tune"},
    {Remedy::search_axes, "name one or two parameters, as in --grid C=2^-5:2^15:2"},
    {Remedy::take_nonconvex, "--allow-nonconvex accepts it: the result is a local minimum at best"},
    {Remedy::name_classes, "name all classes at the first fit, as in --classes a,b,c"},
    {Remedy::give_function, "use the model in the program that has the function"},
};

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  if (text.find_first_of("\"\\$`!") == text.npos) return fmt::format("\"{}\"", text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string flag_of(std::string_view parameter) {
  if (parameter == "epsilon") return "--tube";  // not to be confused with a tolerance
  std::string flag = "--" + std::string(parameter);
  for (char& c : flag) c = c == '_' ? '-' : c;
  return flag;
}

std::string parameter_of(const std::string& word) { return word == "tube" ? "epsilon" : word; }

std::string flag_words(const Hint& hint) {
  if (hint.remedy == Remedy::keep_column && hint.value.empty()) return "--keep uses them";
  const auto found = hint_words.find(hint.remedy);
  if (found == hint_words.end()) return plain_words(hint);
  const bool typed = hint.remedy == Remedy::drop_column || hint.remedy == Remedy::keep_column ||
                     hint.remedy == Remedy::search_kernel;
  return fmt::format(fmt::runtime(found->second), typed ? shell_word(hint.value) : hint.value);
}

}  // namespace mercer::cli
