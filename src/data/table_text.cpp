#include "data/table_text.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "data/chunks.hpp"
#include "data/decimal.hpp"
#include "data/fields.hpp"

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
  if (cell.front() == '"' && quoted_end(cell, 0) == cell.size())
    out += cell;
  else
    append_quoted(out, cell);
}

/// How many bytes the UTF-8 character at the front of `text` has; 0 where there is none. RFC 3629: no
/// surrogates, nothing beyond U+10FFFF, no longer than needed.
std::size_t character_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool outside = (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf4 && byte(1) > 0x8f);
  return overlong || outside ? 0 : length;
}

/// How often `delimiter` stands outside quotes in the record at the front of `text`, which is taken off.
std::size_t take_record(std::string_view& text, char delimiter) noexcept {
  std::size_t count = 0, k = 0;
  bool inside = false;
  for (; k < text.size() && (inside || text[k] != '\n'); ++k) {
    inside ^= text[k] == '"';
    count += !inside && text[k] == delimiter;
  }
  text.remove_prefix(std::min(k + 1, text.size()));
  return count;
}

char delimiter_of(std::string_view text) noexcept {
  for (const char candidate : {',', '\t', ';'}) {
    std::string_view rest = text;
    const std::size_t first = take_record(rest, candidate);
    if (first > 0 && (rest.empty() || take_record(rest, candidate) == first)) return candidate;
  }
  return ',';
}

/// −1,5 or 2,5e3, with the separator asked for.
bool is_number_with(char separator, std::string_view cell) noexcept {
  const std::size_t at = cell.find(separator);
  if (at == cell.npos || cell.size() > 64) return false;
  char copy[64];
  std::copy(cell.begin(), cell.end(), copy);
  copy[at] = '.';
  return cell.find(separator == ',' ? '.' : ',') == cell.npos &&
         read_number({copy, cell.size()}).kind == Number::Kind::number;
}

/// Calls visit(cell) with every cell, without the quotes and spaces around it.
void for_each_cell(std::string_view text, char delimiter, auto visit) {
  bool inside = false;
  for (std::size_t begin = 0, k = 0; k <= text.size(); ++k) {
    if (k < text.size()) {
      inside ^= text[k] == '"';
      if (inside || (text[k] != delimiter && text[k] != '\n')) continue;
    }
    if (const std::string_view cell = trimmed(text.substr(begin, k - begin), "\" \r\t"); !cell.empty())
      visit(cell);
    begin = k + 1;
  }
}

/// A table that separates with semicolons may write 1,5 for 1.5: where it does and never writes 1.5, the
/// commas become points. Bytes stay where they are, so that messages name the right place.
bool write_points(std::string_view original, std::string& rewritten, char delimiter) {
  std::size_t commas = 0, points = 0;
  for_each_cell(rewritten.empty() ? original : rewritten, delimiter, [&](std::string_view cell) {
    commas += is_number_with(',', cell);
    points += is_number_with('.', cell);
  });
  if (commas == 0 || points > 0) return false;
  if (rewritten.empty()) rewritten = original;
  const std::string_view text = rewritten;
  for_each_cell(text, delimiter, [&](std::string_view cell) {
    if (is_number_with(',', cell)) rewritten[std::size_t(cell.data() - text.data()) + cell.find(',')] = '.';
  });
  return true;
}

bool all_utf8(const TextSource& source, int threads) {
  const std::vector<std::string_view> pieces = cut_at_lines(source.text(), default_chunk_bytes);
  std::atomic<bool> valid{true};
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    if (!is_utf8(pieces[i])) valid = false;
    source.forget(pieces[i]);
  });
  return valid;
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

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    std::uint64_t eight = 0;
    if (text.size() >= 8) std::memcpy(&eight, text.data(), 8);
    const bool plain = text.size() >= 8 && (eight & 0x8080808080808080u) == 0;
    const std::size_t length = plain ? 8 : character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string from_windows_1252(std::string_view text) {
  // 0x80 to 0x9f; the five that have no character stay control characters.
  static constexpr unsigned special[] = {0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                         0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,   0x017d, 0x8f,
                                         0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                         0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xa0 ? special[byte - 0x80] : byte);
  }
  return out;
}

TableText table_text(const TextSource& source, bool tabs, int threads) {
  TableText result;
  if (!all_utf8(source, threads)) {
    result.rewritten = from_windows_1252(source.text());
    result.notes.push_back("the file is not UTF-8 text; it is read as Windows-1252 (Latin-1)");
  }
  const std::string_view text = result.rewritten.empty() ? source.text() : std::string_view(result.rewritten);
  result.delimiter = tabs ? '\t' : delimiter_of(text);
  if (std::string requoted = tabs ? with_tab_quotes(text) : std::string(); !requoted.empty()) {
    result.rewritten = std::move(requoted);
    result.notes.push_back("quotes inside cells are read as text, since not all of them stand around cells");
  }
  if (result.delimiter == ';' && write_points(source.text(), result.rewritten, ';'))
    result.notes.push_back("the commas inside numbers are read as decimal points");
  return result;
}

}  // namespace mercer
