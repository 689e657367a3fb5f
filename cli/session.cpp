#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/terminal.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

namespace {

bool another_speaks = false;  // set once, before there are threads

}  // namespace

void Session::be_silent() noexcept { another_speaks = true; }
bool Session::silent() noexcept { return another_speaks; }

void Session::say(const std::string& line) const {
  if (json || quiet || another_speaks) return;
  clear_progress_line();
  fmt::print("{}\n", line);
}

void Session::say_line(std::string_view name, const std::string& text) const {
  say(fmt::format("  {:<12}{}", name, text));
}

void Session::answer(const Json& value) const {
  if (!json || another_speaks) return;
  clear_progress_line();
  fmt::print("{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Session::complain(const std::string& line) {
  if (another_speaks) return;
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

namespace {

// A page of a file that is no longer there: it became shorter while it was read. Nothing can be done but say
// so; what was not written whole is not there.
void on_bus_error(int, siginfo_t* where, void*) {
  clear_progress_line_in_handler();
  const auto say = [](const char* text) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) std::_Exit(bad_data);
  };
  const char* file = mapped_file_at(where->si_addr);
  say("mercer: ");
  say(file ? file : "a file");
  say(file ? ": the file became shorter while it was being read; read it again when it is complete\n"
           : ": a page cannot be read from or written to the disk\n");
  std::_Exit(bad_data);
}

}  // namespace

void handle_lost_pages() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

bool Session::stopped() noexcept { return stop_asked; }

Progress Session::progress(const std::string& phase, const std::string& first) const {
  const bool drawn = !quiet && !another_speaks && ::isatty(STDERR_FILENO);
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
