#include "kernels/fault.hpp"

#include <algorithm>

namespace mercer {

namespace {

// Columns on a screen: UTF-8 continuation bytes take none.
std::size_t width(std::string_view text) {
  return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return shown;
}

}  // namespace

Error expression_fault(std::string_view text, std::size_t begin, std::size_t end, const std::string& what) {
  constexpr std::size_t context = 50;
  begin = std::min(begin, text.size());
  end = std::clamp(end, begin, text.size());
  std::size_t first = begin > context ? begin - context : 0;
  std::size_t last = std::min(text.size(), std::max(end, begin + 1) + context);
  while (first > 0 && (text[first] & 0xC0) == 0x80) --first;
  while (last < text.size() && (text[last] & 0xC0) == 0x80) ++last;
  const std::string before = (first > 0 ? "…" : "") + printable(text.substr(first, begin - first));
  const std::string shown = before + printable(text.substr(begin, last - begin)) + (last < text.size() ? "…" : "");
  const std::size_t marks = std::clamp<std::size_t>(width(text.substr(begin, end - begin)), 1, 2 * context);
  return Error(ErrorKind::usage, what + "\n  " + shown + "\n  " + std::string(width(before), ' ') + "^" +
                                     std::string(marks - 1, '~'));
}

}  // namespace mercer
