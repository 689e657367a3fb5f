// The fields of a comma- or tab-separated table (RFC 4180): a field may stand between quotes, where
// delimiters and line ends are text and a doubled quote is one quote. Spaces around a field outside quotes do
// not count.
#pragma once

#include "data/text_source.hpp"

namespace mercer {

struct Field {
  std::string_view text;  ///< without the quotes around it, doubled quotes as they stand
  bool quoted = false;
  bool doubled = false;  ///< there are doubled quotes in it

  /// The text, with doubled quotes made one. `scratch` holds it where it had to be rewritten.
  std::string_view unescape(std::string& scratch) const;
};

/// Reads the field at p and returns where it ended: at a delimiter, a line end or `last`. Refuses a quote
/// that is never closed, text behind a closing quote, and a quote inside a field that does not start with
/// one.
const char* scan_field(const TextSource& source, const char* p, const char* last, char delimiter,
                       Field& field);

/// Reads the fields of the record at p and returns where the next record starts.
const char* scan_record(const TextSource& source, const char* p, const char* last, char delimiter,
                        std::vector<Field>& fields);

/// Appends `text` between quotes, with its own doubled.
void append_quoted(std::string& out, std::string_view text);

/// A line with nothing in it: the line end, or a carriage return before it.
inline bool is_blank_line(const char* p, const char* last) noexcept {
  return p == last || *p == '\n' || (*p == '\r' && (p + 1 == last || p[1] == '\n'));
}

/// Where the next line starts, for a blank line at p.
inline const char* skip_blank_line(const char* p, const char* last) noexcept {
  if (p != last && *p == '\r') ++p;
  return p == last ? p : p + 1;
}

}  // namespace mercer
