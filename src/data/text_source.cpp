#include "data/text_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/decimal.hpp"

namespace mercer {

namespace {

bool is_control(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f;
}

}  // namespace

TextSource::TextSource(const MappedFile& file) : TextSource(file.name(), file.text()) { file_ = &file; }

TextSource::TextSource(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff"))
    refuse(text_.data(), "the file is UTF-16 text", "save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
  while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
  if (text_.empty()) refuse(text_.data(), "the file is empty", "rows of data are needed");
  // The start tells text from anything else; a stray zero byte further on is met by the parsers.
  const std::string_view start = text_.substr(0, 1 << 16);
  const std::size_t zero = start.find('\0');
  if (zero != start.npos)
    refuse(start.data() + zero, "a zero byte", "this is a binary or UTF-16 file where UTF-8 text is needed");
  const auto controls = std::count_if(start.begin(), start.end(), is_control);
  if (std::size_t(controls) * 20 > start.size())
    refuse(std::find_if(start.begin(), start.end(), is_control), "many control characters",
           "this is a binary file where UTF-8 text is needed");
}

Place TextSource::place(const char* at) const noexcept {
  const std::string_view before = text_.substr(0, std::size_t(at - text_.data()));
  const std::size_t line_end = before.rfind('\n');
  const std::size_t line = 1 + std::size_t(std::count(before.begin(), before.end(), '\n'));
  return {line, line_end == before.npos ? before.size() + 1 : before.size() - line_end};
}

void TextSource::refuse(const char* at, const std::string& what, std::string hint,
                        std::vector<Hint> hints) const {
  const Place found = place(at);
  throw Error(ErrorCode::invalid_file, what,
              {.file = name_,
               .line = found.line,
               .column = found.column,
               .hint = std::move(hint),
               .hints = std::move(hints)});
}

void TextSource::forget(std::string_view part) const noexcept {
  // The system maps pages around the one that is touched, so the first touch of this part brought back pages
  // of the part before it.
  constexpr std::size_t mapped_around = 64 << 10;
  const auto begin = std::size_t(part.data() - text_.data());
  const std::size_t before = std::min(begin, mapped_around);
  if (file_) file_->forget(text_.substr(begin - before, before + part.size()));
}

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t comma = 0; comma != list.npos;) {
    comma = list.find(',');
    parts.emplace_back(list.substr(0, comma));
    if (comma != list.npos) list.remove_prefix(comma + 1);
  }
  return parts;
}

std::string_view take_line(std::string_view& rest) noexcept {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? text.substr(0, 0)
                            : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

void append_utf8(std::string& out, char32_t code) {
  const auto follow = [&](int shift) { return char(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80)
    out += char(code);
  else if (code < 0x800)
    out += {char(0xc0 | code >> 6), follow(0)};
  else if (code < 0x10000)
    out += {char(0xe0 | code >> 12), follow(6), follow(0)};
  else
    out += {char(0xf0 | code >> 18), follow(12), follow(6), follow(0)};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
  return lower;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::size_t size = std::min(text.size(), most);
  // A UTF-8 character is not cut in two.
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  std::string result = "'";
  for (const char c : text.substr(0, size)) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  if (size < text.size()) result += "…";
  return result + "'";
}

double unusual_value(const TextSource& source, std::string_view text, Missing missing,
                     std::string_view hint) {
  using Kind = Number::Kind;
  const Number number = read_number(text);
  switch (number.kind) {
    case Kind::number:
      return number.value;
    case Kind::missing:
      if (missing == Missing::refuse) refuse_missing(source, text);
      return std::numeric_limits<double>::quiet_NaN();
    case Kind::infinite:
      if (missing != Missing::refuse) return std::numeric_limits<double>::quiet_NaN();
      source.refuse(text.data(), fmt::format("{} is not finite", in_quotes(text)), "use a finite number",
                    {{Remedy::treat_missing, "mean or drop"}});
    case Kind::too_large:
      source.refuse(text.data(), fmt::format("{} is too large for a double", in_quotes(text)),
                    "the largest is 1.7976931348623157e+308");
    case Kind::text:
      break;
  }
  source.refuse(text.data(), fmt::format("{} is not a number", in_quotes(text)), std::string(hint));
}

void refuse_file(const std::string& name, const std::string& what, std::string hint, ErrorCode code) {
  throw Error(code, what, {.file = name, .hint = std::move(hint)});
}

void refuse_missing(const TextSource& source, std::string_view text) {
  source.refuse(text.data(), fmt::format("{} is a missing value", in_quotes(text)), "fill it in",
                {{Remedy::treat_missing, "mean or drop"}});
}

void refuse_float(const TextSource& source, std::string_view text) {
  source.refuse(text.data(), fmt::format("{} is too large for a float32", in_quotes(text)), "use float64");
}

}  // namespace mercer
