// The line on the terminal that says how far the work is. It is written anew in place, fits the terminal, and
// is gone before anything else is printed. Where standard error is no terminal there is none: logs and pipes
// hold results and errors only.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "cli/session.hpp"

namespace mercer::cli {

namespace {

constexpr double seconds_before_line = 0.5, seconds_between_lines = 0.1;
constexpr int echo = 2;  // columns of the ^C that a terminal writes behind the line
constexpr int usual_columns = 80;

std::atomic<int> columns_drawn{0};                     // 0: there is no line
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler reads it
const std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();
std::chrono::steady_clock::time_point last_drawn;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Asked each time: windows are resized.
int terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* given = std::getenv("COLUMNS");
  const int columns = given ? std::atoi(given) : 0;
  return columns > 0 ? columns : usual_columns;
}

// A job in the background leaves the line to the one in the foreground.
bool in_foreground() {
  const pid_t group = ::tcgetpgrp(STDERR_FILENO);
  return group < 0 || group == ::getpgrp();
}

void draw_line(const std::string& text, int columns) {
  const int length = int(text.size());
  const int stale = std::clamp(columns_drawn + echo - length, 0, std::max(0, columns - 1 - length));
  const std::string line =
      "\r" + text + std::string(std::size_t(stale), ' ') + std::string(std::size_t(stale), '\b');
  columns_drawn = std::max(int(columns_drawn), length);  // before: Ctrl-C may come as soon as it can be read
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  columns_drawn = length;
}

struct ProgressText {
  std::string phase = {}, detail = {};  // "search", "12 of 21 candidates"
  double fraction = 0;
  std::optional<double> seconds_left = {};
};

// "search: 12 of 21 candidates [#####.....]  57 %, ~20 s left" in at most `columns` − 4 columns, so that
// neither it nor the ^C that a terminal adds wraps. What matters less is left out first: the bar, the
// detail, the time.
std::string fit_to_width(const ProgressText& text, int columns) {
  constexpr int least_bar = 10, most_bar = 30;
  const auto room = std::size_t(std::max(1, columns - 2 * echo));
  const double fraction = std::isfinite(text.fraction) ? std::clamp(text.fraction, 0.0, 1.0) : 0;
  const std::string percent = fmt::format("{:2.0f} %", std::floor(100 * fraction));
  const std::string timed = text.seconds_left && std::isfinite(*text.seconds_left)
                                ? fmt::format("{}, {} left", percent, duration_text(*text.seconds_left))
                                : percent;
  const std::string& name = text.phase.empty() ? text.detail : text.phase;
  const std::string full = text.phase.empty() || text.detail.empty() ? name : text.phase + ": " + text.detail;
  for (const std::string& label : {full, name}) {
    const std::size_t without_bar = label.size() + timed.size() + 4;  // "label [bar] percent"
    if (without_bar + least_bar <= room) {
      const std::size_t size = std::min<std::size_t>(most_bar, room - without_bar),
                        filled = std::size_t(fraction * double(size));
      return fmt::format("{} [{:#>{}}{:.>{}}] {}", label, "", filled, "", size - filled, timed);
    }
    if (label.size() + 1 + timed.size() <= room) return label + " " + timed;
  }
  if (name.size() + 1 + percent.size() <= room) return name + " " + percent;
  return percent.substr(percent.find_first_not_of(' ')).substr(0, room);
}

// One piece of work, from 0 to 1. The line appears once the program has run for half a second and ends with
// the piece.
class ProgressPhase {
 public:
  ProgressPhase(std::string name, bool drawn, std::string first = {})
      : name_(std::move(name)), first_line_(std::move(first)), drawn_(drawn) {}
  ~ProgressPhase() { clear_progress_line(); }
  ProgressPhase(const ProgressPhase&) = delete;
  ProgressPhase& operator=(const ProgressPhase&) = delete;

  // A fraction that falls back begins the next piece of the same name, with a clock of its own.
  void report(std::string_view detail, double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<double> seconds_left(Clock::time_point now) const;

  std::string name_, first_line_;
  bool drawn_;
  std::optional<Clock::time_point> start_ = {};  // of the first report
  double first_ = 0, fraction_ = 0;              // at the start, and now
};

std::optional<double> ProgressPhase::seconds_left(Clock::time_point now) const {
  const double elapsed = seconds_between(*start_, now), done = fraction_ - first_;
  if (elapsed < 1 || done < 0.02) return {};
  return elapsed * (1 - fraction_) / done;
}

void ProgressPhase::report(std::string_view detail, double fraction) {
  if (!drawn_) return;
  const auto now = Clock::now();
  fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0;
  if (!start_ || (fraction < fraction_ / 2 && fraction_ > 0.5)) {
    start_ = now;
    first_ = fraction_ = fraction;
  }
  fraction_ = std::max(fraction, fraction_);
  const bool visible = columns_drawn > 0;
  if (!visible && seconds_between(program_start, now) < seconds_before_line) return;
  if (visible && seconds_between(last_drawn, now) < seconds_between_lines) return;
  if (!in_foreground()) return;
  last_drawn = now;
  if (!first_line_.empty()) std::fprintf(stderr, "%s\n", std::exchange(first_line_, {}).c_str());
  const int columns = terminal_columns();
  draw_line(fit_to_width({name_, std::string(detail), fraction_, seconds_left(now)}, columns), columns);
}

}  // namespace

std::string duration_text(double seconds) {
  const auto about = [](double count, const char* unit) {
    return fmt::format("about {:.0f} {}", count, unit);
  };
  if (!(seconds >= 5)) return "less than 5 s";
  if (seconds < 57.5) return about(5 * std::round(seconds / 5), "s");
  if (seconds < 90 * 60) return about(std::max(1.0, std::round(seconds / 60)), "min");
  if (seconds < 36 * 3600) return about(std::round(seconds / 3600), "h");
  return seconds < 1000 * 86400.0 ? about(std::round(seconds / 86400), "days") : "years";
}

void clear_progress_line() noexcept {
  const int drawn = columns_drawn.exchange(0);
  if (drawn == 0) return;
  const int stale = std::min(drawn + echo, std::max(1, terminal_columns() - 1));
  std::fprintf(stderr, "\r%*s\r", stale, "");
  std::fflush(stderr);
}

void clear_progress_line_in_handler() noexcept {
  const int drawn = columns_drawn.exchange(0);
  if (drawn == 0) return;
  std::array<char, 512> bytes;
  bytes.fill(' ');
  const auto stale = std::size_t(std::min<int>(drawn + echo, int(bytes.size()) - 2));
  bytes[0] = bytes[stale + 1] = '\r';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, bytes.data(), stale + 2);
}

std::function<void(std::string_view, double)> progress_line(std::string phase, bool drawn,
                                                            std::string first) {
  return [shown = std::make_shared<ProgressPhase>(std::move(phase), drawn, std::move(first))](
             std::string_view what, double fraction) { shown->report(what, fraction); };
}

}  // namespace mercer::cli
