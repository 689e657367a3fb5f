#include "data/words.hpp"

#include "data/text_source.hpp"

namespace mercer {

namespace {

bool is_white(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Character {
  char32_t code;
  std::size_t bytes;
};

/// The character at the front. A byte that begins no UTF-8 of at most three bytes stands for itself: what
/// follows needs no others.
Character first_of(std::string_view text) noexcept {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const auto follows = [&](std::size_t k) { return k < text.size() && (byte(k) & 0xc0) == 0x80; };
  if (byte(0) >= 0xc2 && byte(0) < 0xe0 && follows(1))
    return {char32_t((byte(0) & 0x1f) << 6 | (byte(1) & 0x3f)), 2};
  if (byte(0) >= 0xe0 && byte(0) < 0xf0 && follows(1) && follows(2))
    return {char32_t((byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f)), 3};
  return {byte(0) < 0x80 ? char32_t(byte(0)) : U'\uffff', 1};
}

/// Letters, digits and what is not known to be anything else.
bool belongs_to_words(char32_t c) noexcept {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  if (c < 0xc0)
    return c == 0xaa || c == 0xb2 || c == 0xb3 || c == 0xb5 || c == 0xb9 || c == 0xba;  // ª ² ³ µ ¹ º
  if (c == 0xd7 || c == 0xf7) return false;                                             // × ÷
  const bool punctuation = (c >= 0x2000 && c <= 0x206f) || (c >= 0x20a0 && c <= 0x20cf) ||
                           (c >= 0x3000 && c <= 0x303f) || (c >= 0xff00 && c <= 0xff0f);
  return !punctuation;
}

/// The small letter of a capital whose small letter takes as many bytes.
char32_t lower(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
  if (c >= 0xc0 && c <= 0xde) return c == 0xd7 ? c : c + 0x20;  // À to Þ
  if (c >= 0x100 && c <= 0x137 && c != 0x130) return c | 1;  // Ā ā … Ķ ķ; İ has a small letter of one byte
  if (c >= 0x139 && c <= 0x148) return c % 2 ? c + 1 : c;  // Ĺ ĺ … Ň ň
  if (c >= 0x14a && c <= 0x177) return c | 1;              // Ŋ ŋ … Ŷ ŷ
  if (c == 0x178) return 0xff;                             // Ÿ
  if (c >= 0x179 && c <= 0x17e) return c % 2 ? c + 1 : c;  // Ź ź … Ž ž
  if (c >= 0x391 && c <= 0x3a9) return c + 0x20;           // Α to Ω
  if (c >= 0x410 && c <= 0x42f) return c + 0x20;           // А to Я
  if (c >= 0x400 && c <= 0x40f) return c + 0x50;           // Ѐ to Џ
  return c;
}

}  // namespace

void append_lower(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    if (bytes == 1) {
      out += code < 0x80 ? char(lower(code)) : text[0];
    } else if (bytes == 2) {
      append_utf8(out, lower(code));
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
}

void each_word(std::string_view text, Domain domain,
               const std::function<void(std::string_view word, std::size_t begin, std::size_t end)>& use,
               Letters letters) {
  const bool prose = domain == Domain::text;
  std::string small;
  std::size_t begin = 0;
  const auto end_word = [&](std::size_t end) {
    if (end == begin) return;
    std::string_view word = text.substr(begin, end - begin);
    if (prose && letters == Letters::lower) {
      small.clear();
      append_lower(small, word);
      word = small;
    }
    use(word, begin, end);
  };
  for (std::size_t at = 0; at < text.size();) {
    const Character character = prose ? first_of(text.substr(at)) : Character{0, 1};
    if (!(prose ? belongs_to_words(character.code) : !is_white(text[at]))) {
      end_word(at);
      begin = at + character.bytes;
    }
    at += character.bytes;
  }
  end_word(text.size());
}

}  // namespace mercer
