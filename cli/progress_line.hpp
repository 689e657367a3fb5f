// The line on the terminal that says how far the work is. It is written anew in place, fits the terminal, and
// is gone before anything else is printed. Where standard error is no terminal there is none: logs and pipes
// hold results and errors only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mercer::cli {

struct ProgressText {
  std::string phase = {}, detail = {};  ///< "search", "12 of 21 candidates"
  double fraction = 0;
  std::optional<double> seconds_left = {};
};

/// "search: 12 of 21 candidates [#####.....]  57 %, ~20 s left" in at most `columns` − 4 columns, so that
/// neither it nor the ^C that a terminal adds wraps. What matters less is left out first: the bar, the
/// detail, the time.
std::string fit_to_width(const ProgressText& text, int columns);

/// "less than 5 s", "about 20 s", "about 3 min": no more digits than a guess has.
std::string duration_text(double seconds);

/// Erases the line, where there is one.
void clear_progress_line() noexcept;
/// The same from a signal handler.
void clear_progress_line_in_handler() noexcept;

/// One piece of work, from 0 to 1. The line appears once the program has run for half a second and ends with
/// the piece.
class ProgressPhase {
 public:
  /// `first`: a line of its own to print before the first bar.
  ProgressPhase(std::string name, bool drawn, std::string first = {})
      : name_(std::move(name)), first_line_(std::move(first)), drawn_(drawn) {}
  ~ProgressPhase();
  ProgressPhase(const ProgressPhase&) = delete;
  ProgressPhase& operator=(const ProgressPhase&) = delete;

  /// A fraction that falls back begins the next piece of the same name, with a clock of its own.
  void report(std::string_view detail, double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<double> seconds_left(Clock::time_point now) const;

  std::string name_, first_line_;
  bool drawn_;
  std::optional<Clock::time_point> start_ = {};  // of the first report
  double first_ = 0, fraction_ = 0;              // at the start, and now
};

}  // namespace mercer::cli
