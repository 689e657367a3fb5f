#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>

namespace mercer::cli {

void Session::say(const std::string& line) const {
  if (!json && !quiet) fmt::print("{}\n", line);
}

void Session::answer(const Json& value) const {
  if (json) fmt::print("{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Session::complain(const std::string& line) { fmt::print(stderr, "{}\n", line); }

std::size_t Session::memory_bytes() const {
  if (memory > 0) return memory;
  return std::size_t(::sysconf(_SC_PHYS_PAGES)) / 2 * std::size_t(::sysconf(_SC_PAGESIZE));
}

namespace {

class ProgressBar {
 public:
  bool operator()(std::string_view what, double fraction) {
    const double elapsed = seconds_since(start_);
    const bool last = fraction >= 1;
    if (elapsed < 2 || (!last && shown_ && seconds_since(drawn_) < 0.1)) return true;
    if (last && !shown_) return true;
    shown_ = true;
    drawn_ = Clock::now();
    constexpr int width = 30;
    const int full = int(fraction * width);
    fmt::print(stderr, "\r{} [{}{}] {:3.0f} %, {}   {}", what, std::string(std::size_t(full), '#'),
               std::string(std::size_t(width - full), '.'), 100 * fraction,
               last ? fmt::format("{:.1f} s", elapsed) : fmt::format("{:.0f} s left", elapsed * (1 - fraction) / fraction),
               last ? "\n" : "");
    std::fflush(stderr);
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }
  Clock::time_point start_ = Clock::now(), drawn_ = start_;
  bool shown_ = false;
};

}  // namespace

Progress Session::progress() const {
  if (quiet || !::isatty(STDERR_FILENO)) return {};
  return [bar = std::make_shared<ProgressBar>()](std::string_view what, double fraction) { return (*bar)(what, fraction); };
}

GramOptions Session::gram_options() const {
  return {.memory = memory_bytes(), .threads = threads, .progress = progress()};
}

Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

}  // namespace mercer::cli
