#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace mercer::cli {

namespace {

Color chosen_color = Color::automatic;

std::size_t columns_of_the_environment() {
  const char* text = std::getenv("COLUMNS");
  if (!text) return 0;
  const std::string_view view = text;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), columns);
  return error == std::errc() && end == view.data() + view.size() ? columns : 0;
}

std::size_t columns_of_the_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

bool colored(int file) {
  if (chosen_color != Color::automatic) return chosen_color == Color::always;
  const char* kind = std::getenv("TERM");
  return ::isatty(file) && !is_set("NO_COLOR") && kind && std::string_view(kind) != "dumb";
}

std::string painted(int file, const char* code, const std::string& text) {
  return colored(file) && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

}  // namespace

std::size_t text_width() {
  std::size_t columns = columns_of_the_environment();
  if (columns == 0) columns = columns_of_the_terminal();
  return columns == 0 ? 80 : std::clamp<std::size_t>(columns, 40, 120);
}

void use_color(Color color) { chosen_color = color; }

void use_color_of(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string when = word == "--color" && i + 1 < arguments.size() ? arguments[i + 1]
                             : word.starts_with("--color=")                ? word.substr(8)
                                                                           : "";
    if (when == "always") use_color(Color::always);
    if (when == "never") use_color(Color::never);
    if (when == "auto") use_color(Color::automatic);
  }
}

std::string heading(const std::string& text) { return painted(STDOUT_FILENO, "1", text); }

std::string with_colored_prefix(const std::string& line) {
  for (const auto& [prefix, code] : {std::pair{"mercer: note:", "1;33"}, {"mercer:", "1;31"}})
    if (line.starts_with(prefix))
      return painted(STDERR_FILENO, code, prefix) + line.substr(std::string_view(prefix).size());
  return line;
}

}  // namespace mercer::cli
