#include "data/fields.hpp"

#include <bit>
#include <cstring>

namespace mercer {

namespace {

bool is_padding(char c, char delimiter) noexcept {
  return (c == ' ' || c == '\t' || c == '\r') && c != delimiter;
}

const char* skip_padding(const char* p, const char* last, char delimiter) noexcept {
  while (p != last && is_padding(*p, delimiter)) ++p;
  return p;
}

/// The first delimiter, line end or quote, eight bytes at a time (a byte of x that is 0 sets the top bit of
/// its place in (x − 01…) & ~x & 80…, and nothing below it does).
const char* find_stop(const char* p, const char* last, char delimiter) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    const auto matches = [](std::uint64_t bytes, char c) {
      const std::uint64_t x = bytes ^ ones * static_cast<unsigned char>(c);
      return (x - ones) & ~x & ones << 7;
    };
    for (; last - p >= 8; p += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, p, 8);
      const std::uint64_t stops = matches(bytes, delimiter) | matches(bytes, '\n') | matches(bytes, '"');
      if (stops) return p + std::countr_zero(stops) / 8;
    }
  }
  while (p != last && *p != delimiter && *p != '\n' && *p != '"') ++p;
  return p;
}

const char* scan_quoted(const TextSource& source, const char* open, const char* last, char delimiter,
                        Field& field) {
  const char* p = open + 1;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', std::size_t(last - p)));
    if (!p)
      source.refuse(open, "a quote is opened and never closed", "close it, or double a quote that is text");
    if (p + 1 == last || p[1] != '"') break;
    field.doubled = true;
    p += 2;
  }
  field.text = {open + 1, std::size_t(p - open - 1)};
  field.quoted = true;
  const char* const behind = skip_padding(p + 1, last, delimiter);
  if (behind != last && *behind != delimiter && *behind != '\n')
    source.refuse(behind, "text behind a closing quote",
                  "double a quote that is text, or put a delimiter here");
  return behind;
}

}  // namespace

std::string_view Field::unescape(std::string& scratch) const {
  if (!doubled) return text;
  scratch.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    scratch += text[i];
    if (text[i] == '"') ++i;
  }
  return scratch;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

const char* scan_field(const TextSource& source, const char* p, const char* last, char delimiter,
                       Field& field) {
  field = {};
  p = skip_padding(p, last, delimiter);
  if (p != last && *p == '"') return scan_quoted(source, p, last, delimiter, field);
  const char* const first = p;
  p = find_stop(p, last, delimiter);
  if (p != last && *p == '"')
    source.refuse(p, "a quote inside a field",
                  "put the whole field between quotes and double the quote in it");
  const char* end = p;
  while (end != first && is_padding(end[-1], delimiter)) --end;
  field.text = {first, std::size_t(end - first)};
  return p;
}

const char* scan_record(const TextSource& source, const char* p, const char* last, char delimiter,
                        std::vector<Field>& fields) {
  fields.clear();
  for (;;) {
    Field& field = fields.emplace_back();
    p = scan_field(source, p, last, delimiter, field);
    if (p == last) return p;
    if (*p++ == '\n') return p;
  }
}

}  // namespace mercer
