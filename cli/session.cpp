#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/terminal.hpp"

namespace mercer::cli {

void Session::say(const std::string& line) const {
  if (!json && !quiet) fmt::print("{}\n", line);
}

void Session::answer(const Json& value) const {
  if (json) fmt::print("{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Session::complain(const std::string& line) { fmt::print(stderr, "{}\n", with_colored_prefix(line)); }

std::size_t Session::memory_bytes() const {
  if (memory > 0) return memory;
  return std::size_t(::sysconf(_SC_PHYS_PAGES)) / 2 * std::size_t(::sysconf(_SC_PAGESIZE));
}

namespace {

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set by a signal handler

class ProgressBar {
 public:
  void show(std::string_view what, double fraction) {
    const double elapsed = seconds_since(start_);
    const bool last = fraction >= 1;
    if (elapsed < 2 || (!last && shown_ && seconds_since(drawn_) < 0.1) || (last && !shown_)) return;
    shown_ = true;
    drawn_ = Clock::now();
    constexpr int width = 30;
    const int full = int(fraction * width);
    fmt::print(stderr, "\r{} [{}{}] {:3.0f} %, {}   {}", what, std::string(std::size_t(full), '#'),
               std::string(std::size_t(width - full), '.'), 100 * fraction,
               last ? fmt::format("{:.1f} s", elapsed) : fmt::format("{:.0f} s left", elapsed * (1 - fraction) / fraction),
               last ? "\n" : "");
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }
  Clock::time_point start_ = Clock::now(), drawn_ = start_;
  bool shown_ = false;
};

}  // namespace

void handle_interrupts() {
  std::signal(SIGINT, [](int) {
    if (stop_asked.exchange(true)) std::_Exit(interrupted);
  });
}

Progress Session::progress() const {
  const bool drawn = !quiet && ::isatty(STDERR_FILENO);
  return [drawn, bar = std::make_shared<ProgressBar>()](std::string_view what, double fraction) {
    if (drawn) bar->show(what, fraction);
    return !stop_asked;
  };
}

Progress Session::search_progress() const {
  return [inner = progress()](std::string_view what, double fraction) { return inner(what, fraction) || !stop_asked.exchange(false); };
}

void Session::announce(const std::string& step, double seconds) const {
  if (seconds > 2 && !quiet && ::isatty(STDERR_FILENO)) complain(fmt::format("{}; about {:.0f} s", step, seconds));
}

GramOptions Session::gram_options() const {
  return {.memory = memory_bytes(), .threads = threads, .progress = progress()};
}

Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

}  // namespace mercer::cli
