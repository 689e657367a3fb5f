#include "data/fields.hpp"

#include <algorithm>
#include <cstring>

namespace mercer {

namespace {

bool is_space(char c, char delimiter) noexcept { return (c == ' ' || c == '\t' || c == '\r') && c != delimiter; }

const char* skip_spaces(const char* p, const char* last, char delimiter) noexcept {
  while (p != last && is_space(*p, delimiter)) ++p;
  return p;
}

const char* scan_quoted(const TextSource& source, const char* open, const char* last, char delimiter, Field& field) {
  const char* p = open + 1;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', std::size_t(last - p)));
    if (!p) source.refuse(open, "a quote is opened and never closed; close it, or double a quote that is text");
    if (p + 1 == last || p[1] != '"') break;
    field.doubled = true;
    p += 2;
  }
  field.text = {open + 1, std::size_t(p - open - 1)};
  field.quoted = true;
  const char* const behind = skip_spaces(p + 1, last, delimiter);
  if (behind != last && *behind != delimiter && *behind != '\n')
    source.refuse(behind, "text behind a closing quote; double a quote that is text, or put a delimiter here");
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

const char* scan_field(const TextSource& source, const char* p, const char* last, char delimiter, Field& field) {
  field = {};
  p = skip_spaces(p, last, delimiter);
  if (p != last && *p == '"') return scan_quoted(source, p, last, delimiter, field);
  const char* const first = p;
  for (; p != last && *p != delimiter && *p != '\n'; ++p)
    if (*p == '"')
      source.refuse(p, "a quote inside a field; put the whole field between quotes and double the quote in it");
  const char* end = p;
  while (end != first && is_space(end[-1], delimiter)) --end;
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
