// The one exception of the library: what went wrong as a code, where, and what would be right. The core never
// prints and never exits. It knows no flag of a command line and no parameter of a Python class either: what
// a user can do is a Remedy, and each interface has its own words for that.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

enum class ErrorCode {
  // wrong usage
  invalid_argument,   ///< an option or argument cannot be what it is
  invalid_parameter,  ///< a parameter of a method, kernel or loss is outside its range
  unknown_name,       ///< there is no kernel, method, loss, metric … of that name
  invalid_kernel,     ///< a kernel expression cannot be read, or makes no kernel
  unsupported,        ///< a combination that does not exist: this method with that solver, kernel or target
  missing_library,    ///< it needs a library that is not installed
  // bad data
  file_access,        ///< a file or folder cannot be opened, read or written
  invalid_file,       ///< a file is not what its format asks for
  invalid_data,       ///< rows that cannot be learned from, compared or predicted
  missing_target,     ///< the data have no target
  wrong_target,       ///< the target cannot be learned, or not by this method
  indefinite_kernel,  ///< a kernel or matrix that is not, or not provably, positive semidefinite
  rank_deficient,     ///< the rows span fewer dimensions, or are fewer different points, than were asked for
  not_finite,         ///< a number overflows, or is undefined
  // out of budget
  out_of_memory,
  out_of_time,
  too_large,  ///< more work than is ever done
  // asked to stop
  closed_output,  ///< whoever reads the output has closed it
  cancelled
};

/// What kind of trouble a code is; the exit code of the command line.
enum class ErrorKind { usage, data, budget, cancelled };
ErrorKind kind_of(ErrorCode code) noexcept;
/// "invalid_argument", …: what --json and Python call it.
std::string_view name_of(ErrorCode code) noexcept;

/// What a user can do about an error or a note.
enum class Remedy {
  name_target,        ///< say which column is the target
  name_other_target,  ///< say that another column is the target
  read_as_classes,    ///< of the target
  read_as_numbers,    ///< of the target
  drop_column,        ///< value: its name
  keep_column,        ///< value: its name; empty: several
  skip_bad_rows,
  treat_missing,  ///< missing values; value: how: "mean or drop", "drop", "mean"
  scale_columns,
  take_indefinite,  ///< kernels that are not proved positive semidefinite
  choose_solver,    ///< let the solver be chosen
  start_anew,       ///< instead of going on from a model
  approximate,      ///< the kernel; value: how, e.g. nystrom:2000
  no_approximation,
  more_memory,
  more_time,
  fit_probabilities,
  list_names,      ///< value: of what: kernels, methods, losses
  search_further,  ///< value: the parameter
  search_kernel,   ///< value: an expression
  search_axes,     ///< name the parameters that a search varies
  take_nonconvex,  ///< losses that are not convex
  give_function,   ///< of the program, where the kernel or model is read; value: its name
  name_classes,    ///< all of them, also those that have no row yet
};
std::string_view name_of(Remedy remedy) noexcept;

struct Hint {
  Remedy remedy;
  std::string value = {};
};

/// How an interface says a hint, e.g. "name its column with --target".
using HintWords = std::string (*)(const Hint&);
/// How the library says it: "name the target column".
std::string plain_words(const Hint& hint);

/// Something a user should know: a sentence, and what can be done about it.
struct Note {
  std::string text;
  std::vector<Hint> hints = {};
  std::string column = {};  ///< that it is about; empty: none

  Note(std::string text, std::vector<Hint> hints = {}, std::string column = {})
      : text(std::move(text)), hints(std::move(hints)), column(std::move(column)) {}
  Note(const char* text) : text(text) {}
  /// "text; hint, or hint"
  std::string said(HintWords words = plain_words) const;
};
std::vector<std::string> said(const std::vector<Note>& notes, HintWords words = plain_words);

/// Where it happened and what was there; empty or 0 where that is not known. Lines, columns and rows are
/// counted from 1.
struct ErrorDetails {
  std::string file = {};
  std::size_t line = 0, column = 0;  ///< of a text file
  std::size_t row = 0;               ///< of the data
  std::string owner = {};            ///< the method, kernel or loss that has the problem
  std::string parameter = {};
  std::string requirement = {};  ///< of the parameter: "must be > 0"
  std::string value = {};        ///< the one that is wrong
  std::string hint = {};         ///< what would be right
  std::vector<Hint> hints = {};  ///< the same, where interfaces have words of their own
  std::string excerpt = {};  ///< lines that point at the place in an expression; the message ends with them
};

class Error : public std::runtime_error {
 public:
  /// what() is "file:line:column: owner: problem; hint".
  Error(ErrorCode code, std::string problem, ErrorDetails details = {});
  /// Of a parameter: "owner: parameter must be > 0, not -1". `value` empty: nothing was given.
  static Error of_parameter(std::string_view owner, std::string_view parameter, std::string requirement,
                            std::string value, std::string hint = {});

  ErrorCode code() const noexcept { return code_; }
  ErrorKind kind() const noexcept { return kind_of(code_); }
  const std::string& problem() const noexcept { return problem_; }
  const ErrorDetails& details() const noexcept { return details_; }
  /// what(), in the words of an interface.
  std::string said(HintWords words) const;
  /// The same of a kernel's, method's or loss's parameter: "owner: parameter problem".
  Error about(std::string_view owner, std::string_view parameter = {}) const;
  /// The same in a file that the code which noticed it did not know of: a wrong argument is bad data there.
  Error in_file(const std::string& file) const;

 private:
  ErrorCode code_;
  std::string problem_;
  ErrorDetails details_;
};

}  // namespace mercer
