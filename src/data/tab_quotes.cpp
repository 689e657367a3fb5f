#include "data/tab_quotes.hpp"

#include <algorithm>

namespace mercer {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\r'; }

/// Where the cell that begins with a quote at `open` ends, by RFC 4180; npos where the quote is not closed
/// before a tab, a line end or the end.
std::size_t quoted_end(std::string_view text, std::size_t open) noexcept {
  std::size_t at = open + 1;
  for (;;) {
    at = text.find('"', at);
    if (at == text.npos) return text.npos;
    if (at + 1 == text.size() || text[at + 1] != '"') break;
    at += 2;
  }
  ++at;
  while (at < text.size() && is_blank(text[at])) ++at;
  return at == text.size() || text[at] == '\t' || text[at] == '\n' ? at : text.npos;
}

/// Whether every quote opens, closes or is doubled within a cell that begins with one.
bool follows_the_rules(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at < text.size() && text[at] == '"') {
      at = quoted_end(text, at);
      if (at == text.npos) return false;
      continue;
    }
    const std::size_t stop = std::min(text.find_first_of("\t\n\"", at), text.size());
    if (stop < text.size() && text[stop] == '"') return false;
    at = stop;
  }
  return true;
}

void append_cell(std::string& out, std::string_view cell) {
  if (cell.find('"') == cell.npos) {
    out += cell;
    return;
  }
  while (is_blank(cell.front())) cell.remove_prefix(1);
  while (is_blank(cell.back())) cell.remove_suffix(1);
  if (cell.front() == '"' && quoted_end(cell, 0) == cell.size()) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string with_tab_quotes(std::string_view text) {
  std::string out;
  if (text.find('"') == text.npos || follows_the_rules(text)) return out;
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("\t\n", begin), text.size());
    append_cell(out, text.substr(begin, end - begin));
    if (end < text.size()) out += text[end];
    begin = end + 1;
  }
  return out;
}

}  // namespace mercer
