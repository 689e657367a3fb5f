#include "mercer/error.hpp"

#include <fmt/format.h>

#include <array>

namespace mercer {

namespace {

constexpr std::array code_names{"invalid_argument", "invalid_parameter", "unknown_name",  "invalid_kernel",
                                "unsupported",      "missing_library",   "file_access",   "invalid_file",
                                "invalid_data",     "missing_target",    "wrong_target",  "indefinite_kernel",
                                "rank_deficient",   "not_finite",        "out_of_memory", "out_of_time",
                                "too_large",        "closed_output",     "cancelled"};
static_assert(code_names.size() == std::size_t(ErrorCode::cancelled) + 1);

struct RemedyWords {
  std::string_view name, plain;  // {}: the hint's value
};
constexpr std::array remedies{
    RemedyWords{"name_target", "name the target column"},
    RemedyWords{"name_other_target", "name another target column"},
    RemedyWords{"read_as_classes", "read it as classes"},
    RemedyWords{"read_as_numbers", "read it as numbers"},
    RemedyWords{"drop_column", "drop column {}"},
    RemedyWords{"keep_column", "ask for it to be kept"},
    RemedyWords{"skip_bad_rows", "skip such rows"},
    RemedyWords{"treat_missing", "set missing to {}"},
    RemedyWords{"scale_columns", "scale the columns before the fit"},
    RemedyWords{"take_indefinite", "allow indefinite kernels"},
    RemedyWords{"choose_solver", "leave the choice of the solver open"},
    RemedyWords{"start_anew", "start without a model"},
    RemedyWords{"approximate", "use a kernel approximation such as {}"},
    RemedyWords{"no_approximation", "use no kernel approximation"},
    RemedyWords{"more_memory", "allow more memory"},
    RemedyWords{"more_time", "allow more time"},
    RemedyWords{"fit_probabilities", "fit the model with probabilities"},
    RemedyWords{"list_names", "the catalogue of {} lists all"},
    RemedyWords{"search_further", "search {} further"},
    RemedyWords{"search_kernel", "search with {}, say"},
    RemedyWords{"search_axes", "name one or two parameters to vary"},
    RemedyWords{"take_nonconvex", "allow losses that are not convex: the result is a local minimum at best"},
    RemedyWords{"give_function", "give the function where the expression or the model is read"},
    RemedyWords{"name_classes", "name all classes at the first fit"},
};
static_assert(remedies.size() == std::size_t(Remedy::name_classes) + 1);

/// "; hint, or hint (where all are listed)"
std::string what_to_do(std::string hint, const std::vector<Hint>& hints, HintWords words) {
  std::string lists;
  for (const Hint& one : hints) {
    if (one.remedy == Remedy::list_names)
      lists += fmt::format(" ({})", words(one));
    else
      hint += (hint.empty() ? "" : ", or ") + words(one);
  }
  return (hint.empty() ? "" : "; " + hint) + lists;
}

std::string whole_message(const std::string& problem, const ErrorDetails& d, HintWords words) {
  const std::string place = d.line ? fmt::format("{}:{}:{}", d.file, d.line, d.column) : d.file;
  return (place.empty() ? "" : place + ": ") + (d.owner.empty() ? "" : d.owner + ": ") + problem +
         what_to_do(d.hint, d.hints, words) + d.excerpt;
}

}  // namespace

ErrorKind kind_of(ErrorCode code) noexcept {
  if (code <= ErrorCode::missing_library) return ErrorKind::usage;
  if (code <= ErrorCode::not_finite) return ErrorKind::data;
  if (code <= ErrorCode::too_large) return ErrorKind::budget;
  return ErrorKind::cancelled;
}

std::string_view name_of(ErrorCode code) noexcept { return code_names[std::size_t(code)]; }
std::string_view name_of(Remedy remedy) noexcept { return remedies[std::size_t(remedy)].name; }

std::string plain_words(const Hint& hint) {
  const std::string_view words = remedies[std::size_t(hint.remedy)].plain;
  const std::size_t at = words.find("{}");
  return at == words.npos ? std::string(words) : fmt::format(fmt::runtime(words), hint.value);
}

std::string Note::said(HintWords words) const { return text + what_to_do({}, hints, words); }

std::vector<std::string> said(const std::vector<Note>& notes, HintWords words) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.said(words));
  return texts;
}

Error::Error(ErrorCode code, std::string problem, ErrorDetails details)
    : std::runtime_error(whole_message(problem, details, plain_words)),
      code_(code),
      problem_(std::move(problem)),
      details_(std::move(details)) {}

Error Error::of_parameter(std::string_view owner, std::string_view parameter, std::string requirement,
                          std::string value, std::string hint) {
  std::string problem =
      fmt::format("{} {}{}{}", parameter, requirement, value.empty() ? "" : ", not ", value);
  return Error(ErrorCode::invalid_parameter, std::move(problem),
               {.owner = std::string(owner),
                .parameter = std::string(parameter),
                .requirement = std::move(requirement),
                .value = std::move(value),
                .hint = std::move(hint)});
}

std::string Error::said(HintWords words) const { return whole_message(problem_, details_, words); }

Error Error::about(std::string_view owner, std::string_view parameter) const {
  ErrorDetails details = details_;
  details.owner = fmt::format("{}{}{}", owner, details.owner.empty() ? "" : ": ", details.owner);
  if (parameter.empty()) return Error(code_, problem_, std::move(details));
  details.parameter = parameter;
  return Error(code_, fmt::format("{} {}", parameter, problem_), std::move(details));
}

Error Error::in_file(const std::string& file) const {
  ErrorDetails details = details_;
  if (details.file.empty()) details.file = file;
  return Error(kind() == ErrorKind::usage ? ErrorCode::invalid_file : code_, problem_, std::move(details));
}

}  // namespace mercer
