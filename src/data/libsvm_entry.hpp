// The smallest pieces of LIBSVM's texts, its data and its models: fields between spaces, and index:value.
#pragma once

#include "data/decimal.hpp"
#include "data/text_source.hpp"

namespace mercer {

inline constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max() - 1;  // 2³¹ − 2

inline bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
inline bool ends_field(const char* p, const char* last) noexcept {
  return p == last || is_space(*p) || *p == '\n';
}

inline const char* skip_spaces(const char* p, const char* last) noexcept {
  while (p != last && is_space(*p)) ++p;
  return p;
}

inline const char* field_end(const char* p, const char* last) noexcept {
  while (!ends_field(p, last)) ++p;
  return p;
}

/// Reads "index:" at p and returns where the value starts; nullptr where something else stands there.
inline const char* parse_index(const char* p, const char* last, std::int64_t& index) noexcept {
  const char* const first = p;
  index = 0;
  while (p != last && detail::is_digit(*p) && p - first < 11) index = index * 10 + (*p++ - '0');
  return p == first || p == last || *p != ':' ? nullptr : p + 1;
}

/// For a field that does not start with "index:".
[[noreturn]] void refuse_entry(const TextSource& source, std::string_view field);

/// For an index, at `at`, that does not come after `previous` or is beyond the largest.
[[noreturn]] void refuse_index(const TextSource& source, const char* at, std::int64_t index,
                               std::int64_t previous);

}  // namespace mercer
