#include "cli/layout.hpp"

#include <algorithm>
#include <vector>

namespace mercer::cli {

namespace {

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

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
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
  for (const std::string_view line : lines_of(text)) {
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
  for (const std::string_view line : lines_of(text)) {
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
