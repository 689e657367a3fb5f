#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace mercer::cli {

namespace {

std::string color_wish = "auto";  // --color

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

bool colored(int file) {
  if (color_wish != "auto") return color_wish == "always";
  const char *none = std::getenv("NO_COLOR"), *kind = std::getenv("TERM");
  return ::isatty(file) && !(none && *none) && kind && std::string_view(kind) != "dumb";
}

std::string painted(int file, const char* code, const std::string& text) {
  return colored(file) && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

bool begins_letter(char c) { return (c & 0xC0) != 0x80; }

// Bytes of the longest beginning that is at most `columns` wide, at least one letter.
std::size_t bytes_within(std::string_view word, std::size_t columns) {
  std::size_t end = 1;
  while (end < word.size() && !begins_letter(word[end])) ++end;
  for (std::size_t next = end; next < word.size(); end = next) {
    do ++next;
    while (next < word.size() && !begins_letter(word[next]));
    if (shown_width(word.substr(0, next)) > columns) break;
  }
  return end;
}

// Where to break a word that is wider than `columns`: after the last | , or / that fits.
std::size_t break_of(std::string_view word, std::size_t columns) {
  const std::size_t most = bytes_within(word, columns);
  const std::size_t mark = word.substr(0, most).find_last_of("|,/");
  return mark == word.npos || mark == 0 ? most : mark + 1;
}

// Words and the spaces before each, so that gaps inside a line stay as they are.
void wrap_line(std::string& out, std::string_view line, std::size_t width, std::size_t first,
               std::size_t others) {
  std::string current(first, ' ');
  bool empty = true;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == line.npos) break;
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    std::string_view word = line.substr(begin, end - begin);
    const std::size_t gap = empty ? 0 : begin - at;
    at = end;
    if (!empty && shown_width(current) + gap + shown_width(word) > width) {
      out += current + "\n";
      current.assign(others, ' ');
      empty = true;
    }
    if (!empty) current.append(gap, ' ');
    while (shown_width(current) + shown_width(word) > width && width > others) {
      const std::size_t room = width - std::min(width - 1, shown_width(current));
      const std::size_t split = break_of(word, room);
      if (split >= word.size()) break;
      out += current + std::string(word.substr(0, split)) + "\n";
      word.remove_prefix(split);
      current.assign(others, ' ');
    }
    current += word;
    empty = false;
  }
  out += empty ? "" : current;
}

}  // namespace

std::size_t text_width() {
  std::size_t columns = columns_of_the_environment();
  if (columns == 0) columns = columns_of_the_terminal();
  return columns == 0 ? 80 : std::clamp<std::size_t>(columns, 40, 120);
}

void use_color_of(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string when = word == "--color" && i + 1 < arguments.size() ? arguments[i + 1]
                             : word.starts_with("--color=")                ? word.substr(8)
                                                                           : "";
    if (when == "always" || when == "never" || when == "auto") color_wish = when;
  }
}

std::string heading(const std::string& text) { return painted(STDOUT_FILENO, "1", text); }

std::string with_colored_prefix(const std::string& line) {
  for (const auto& [prefix, code] : {std::pair{"mercer: note:", "1;33"}, {"mercer:", "1;31"}})
    if (line.starts_with(prefix))
      return painted(STDERR_FILENO, code, prefix) + line.substr(std::string_view(prefix).size());
  return line;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::size_t shown_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {  // a colour, up to its m
      i = std::min(text.find('m', i), text.size());
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0300 to U+036F, the accents that combine with the letter before, are CC 80 to CD AF.
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool accent = byte == 0xCC || (byte == 0xCD && next <= 0xAF);
    width += begins_letter(text[i]) && !accent;
  }
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  return std::string(text) + std::string(shown < width ? width - shown : 0, ' ');
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t first, std::size_t others) {
  std::string out;
  bool begun = false;
  for (const std::string_view line : split(text, '\n')) {
    if (begun) out += '\n';
    wrap_line(out, line, width, begun ? others : first, others);
    begun = true;
  }
  return out;
}

std::string entry(std::string_view term, std::string_view description, std::size_t indent, std::size_t column,
                  std::size_t width) {
  const std::string head = std::string(indent, ' ') + std::string(term);
  if (description.empty()) return wrapped(term, width, indent, indent + 2);
  const std::string body = wrapped(description, width, column, column);
  if (shown_width(head) + 2 <= column) return padded(head, column) + body.substr(column);
  return wrapped(term, width, indent, indent + 2) + "\n" + body;
}

std::string refilled(std::string_view text, std::size_t width) {
  std::string out;
  bool begun = false;
  for (const std::string_view line : split(text, '\n')) {
    if (begun) out += '\n';
    begun = true;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", indent);
    std::size_t hang = gap == line.npos ? indent : line.find_first_not_of(' ', gap);
    if (hang == line.npos || shown_width(line.substr(0, hang)) > width / 2)
      hang = indent;
    else
      hang = shown_width(line.substr(0, hang));
    wrap_line(out, line.substr(indent), width, indent, hang);
  }
  return out;
}

}  // namespace mercer::cli
