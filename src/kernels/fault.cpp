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

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] & 0xC0) == 0x80;
}

std::string shortened(const std::string& what) {
  std::size_t last = 400;
  if (what.size() <= last) return what;
  for (int step = 0; step < 3 && inside_character(what, last); ++step) --last;
  return what.substr(0, last) + "…";
}

}  // namespace

Error expression_fault(std::string_view text, std::size_t begin, std::size_t end, const Error& fault) {
  constexpr std::size_t context = 50;
  begin = std::min(begin, text.size());
  end = std::clamp(end, begin, std::min(text.size(), begin + 2 * context));
  std::size_t first = begin > context ? begin - context : 0;
  std::size_t last = std::min(text.size(), std::max(end, begin + 1) + context);
  for (int step = 0; step < 3 && first > 0 && inside_character(text, first); ++step) --first;
  for (int step = 0; step < 3 && inside_character(text, last); ++step) ++last;
  const std::string before = (first > 0 ? "…" : "") + printable(text.substr(first, begin - first));
  const std::string shown =
      before + printable(text.substr(begin, last - begin)) + (last < text.size() ? "…" : "");
  const std::size_t marks = std::max<std::size_t>(width(text.substr(begin, end - begin)), 1);
  ErrorDetails details = fault.details();
  if (details.value.empty()) details.value = text.substr(begin, end - begin);
  details.excerpt =
      "\n  " + shown + "\n  " + std::string(width(before), ' ') + "^" + std::string(marks - 1, '~');
  return Error(fault.kind() == ErrorKind::usage ? fault.code() : ErrorCode::invalid_kernel,
               shortened(fault.problem()), std::move(details));
}

}  // namespace mercer
