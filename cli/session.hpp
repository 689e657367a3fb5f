// What every subcommand shares: the global options, how results and errors are printed, and progress.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/error.hpp"
#include "mercer/progress.hpp"

namespace mercer::cli {

/// Keys are printed in the order in which they are added.
using Json = nlohmann::ordered_json;

enum Exit {
  success = 0,
  bar_not_met = 1,
  wrong_usage = 2,
  bad_data = 3,
  out_of_budget = 4,
  interrupted = 130,
  closed_pipe = 141
};
inline constexpr std::pair<Exit, const char*> exit_meanings[] = {
    {success, "success"},
    {bar_not_met, "a check failed or a fit did not converge"},
    {wrong_usage, "wrong usage"},
    {bad_data, "bad data"},
    {out_of_budget, "out of time or memory"},
    {interrupted, "interrupted"},
    {closed_pipe, "the output was closed"},
};

/// The first Ctrl-C asks the work to stop at the next safe point, the second ends the program at once.
void handle_interrupts();
/// A file that becomes shorter while it is read ends the program with a message.
void handle_lost_pages();

struct Session {
  bool json = false, quiet = false;
  int threads = 0;
  std::uint64_t memory = 0;  ///< bytes; 0: half of the machine's
  std::uint64_t seed = 1;
  std::string color = "auto";
  std::string command_line;  ///< as typed
  int ranks = 1;             ///< processes that do the work
  int exit_code = success;   ///< set by a subcommand that ran but whose answer is "no"

  /// For a person: a line on standard output, unless --json or --quiet.
  void say(const std::string& line) const;
  /// The same with a name in a column of its own.
  void say_line(std::string_view name, const std::string& text) const;
  /// For a program: the whole answer, with --json.
  void answer(const Json& json) const;
  /// A line on standard error, whatever the options.
  static void complain(const std::string& line);
  /// From here on this process prints nothing and writes no files: it is one of several that do the same
  /// work, and another one speaks.
  static void be_silent() noexcept;
  static bool silent() noexcept;

  /// Reads data files in another way than read(), where there is one; nothing: read() is to do it.
  std::function<std::optional<Dataset>(const std::string& path, const ReadOptions& options)> reader = {};

  std::size_t memory_bytes() const;
  /// Stops the work after Ctrl-C; on a terminal also shows how far it is (progress_line.cpp). `phase`:
  /// what the work is for, where it is one of several pieces. `first`: a line that comes before the first
  /// bar.
  Progress progress(const std::string& phase = {}, const std::string& first = {}) const;
  /// Whether Ctrl-C was pressed.
  static bool stopped() noexcept;
  /// What is said when the work notices Ctrl-C and goes on to an end of its own.
  std::string when_stopped = {};
  /// Before a step of over two seconds that cannot report how far it is: a line on the terminal.
  void announce(const std::string& step, double seconds) const;
};

/// What `of` gives for each: names of entries, texts, JSON.
template <class All, class Of>
auto values_of(const All& all, const Of& of) {
  std::vector<std::decay_t<std::invoke_result_t<const Of&, decltype(*std::begin(all))>>> values;
  for (const auto& one : all) values.push_back(std::invoke(of, one));
  return values;
}

/// "1 row", "2 rows"
std::string counted(std::size_t count, std::string_view what);

/// The text as one word of a shell, in quotes where it needs them.
std::string shell_word(const std::string& text);
/// How the library's hints are said here, with flags and commands: "name its column with --target".
std::string flag_words(const Hint& hint);
/// The flag of a method's parameter: "--least-squares" for least_squares, "--tube" for epsilon.
std::string flag_of(std::string_view parameter);
/// The other way round, for words that name a parameter as its flag does: "epsilon" for "tube".
std::string parameter_of(const std::string& word);

/// "less than 5 s", "about 20 s", "about 3 min": no more digits than a guess has.
std::string duration_text(double seconds);
/// The line on the terminal that says how far one piece of work is, to be called with what is done and the
/// fraction done. `drawn`: whether there is one at all; `first`: a line of its own to print before the first
/// bar.
std::function<void(std::string_view what, double fraction)> progress_line(std::string phase, bool drawn,
                                                                          std::string first);
/// Erases the line, where there is one.
void clear_progress_line() noexcept;
/// The same from a signal handler.
void clear_progress_line_in_handler() noexcept;

/// A JSON number, or the text "Infinity", "-Infinity" or "NaN", which JSON numbers cannot be.
Json number(double value);
/// Null for none.
Json number(const std::optional<double>& value);

}  // namespace mercer::cli
