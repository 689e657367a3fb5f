#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "cli/terminal.hpp"

namespace mercer::cli {

void Session::say(const std::string& line) const {
  if (json || quiet) return;
  clear_progress_line();
  fmt::print("{}\n", line);
}

void Session::say_line(std::string_view name, const std::string& text) const {
  say(fmt::format("  {:<12}{}", name, text));
}

void Session::answer(const Json& value) const {
  if (!json) return;
  clear_progress_line();
  fmt::print("{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Session::complain(const std::string& line) {
  clear_progress_line();
  fmt::print(stderr, "{}\n", with_colored_prefix(line));
}

std::size_t Session::memory_bytes() const {
  if (memory > 0) return memory;
  return std::size_t(::sysconf(_SC_PHYS_PAGES)) / 2 * std::size_t(::sysconf(_SC_PAGESIZE));
}

namespace {

std::atomic<bool> stop_asked{false}, stop_noticed{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set by a signal handler

}  // namespace

void handle_interrupts() {
  std::signal(SIGINT, [](int) {
    if (!stop_asked.exchange(true)) return;
    clear_progress_line_in_handler();
    std::_Exit(interrupted);
  });
}

bool Session::stopped() noexcept { return stop_asked; }

Progress Session::progress(const std::string& phase, const std::string& first) const {
  const bool drawn = !quiet && ::isatty(STDERR_FILENO);
  return [said = when_stopped, show = progress_line(phase, drawn, first)](std::string_view what,
                                                                          double fraction) {
    if (stop_asked && !said.empty() && !stop_noticed.exchange(true)) complain(said);
    show(what, fraction);
    return !stop_asked;
  };
}

void Session::announce(const std::string& step, double seconds) const {
  if (seconds > 2 && !quiet && ::isatty(STDERR_FILENO))
    complain(fmt::format("{}: {}", step, duration_text(seconds)));
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }
Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

}  // namespace mercer::cli
