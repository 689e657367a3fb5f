#include "data/words.hpp"

namespace mercer {

namespace {

bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void each_word(std::string_view text, Domain domain, const std::function<void(std::string_view word, std::size_t begin, std::size_t end)>& use) {
  const bool prose = domain == Domain::text;
  const auto belongs = [&](char c) { return prose ? is_letter(c) : !is_space(c); };
  std::string lower;
  for (std::size_t begin = 0; begin < text.size();) {
    if (!belongs(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && belongs(text[end])) ++end;
    std::string_view word = text.substr(begin, end - begin);
    if (prose) {
      lower.assign(word);
      for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
      word = lower;
    }
    use(word, begin, end);
    begin = end;
  }
}

}  // namespace mercer
