#include "plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mercer {

namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The bytes of the character that begins `text`, or 0 where no valid UTF-8 character does.
std::size_t character_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xc2 ? 0
                           : lead < 0xe0 ? 2
                           : lead < 0xf0 ? 3
                           : lead < 0xf5 ? 4
                                         : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
  }
  if (size < 3) return size;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
  const bool forbidden = size == 3 && (text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf"));
  return overlong || beyond || forbidden ? 0 : size;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += !continues(byte);
  return count;
}

// Where character number `count` begins, or the end.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (!continues(text[i]) && count-- == 0) break;
  }
  return i;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const char first = text[0];
    const bool control =
        static_cast<unsigned char>(first) < 0x20 && first != '\t' && first != '\n' && first != '\r';
    if (size == 0 || control) {
      out += "\xef\xbf\xbd";
    } else if (first == '&') {
      out += "&amp;";
    } else if (first == '<') {
      out += "&lt;";
    } else if (first == '>') {
      out += "&gt;";
    } else if (first == '"') {
      out += "&quot;";
    } else if (first == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (characters(text) <= width) return std::string(text);
  std::string_view kept = text.substr(0, offset_of(text, width - 1));
  while (kept.ends_with(' ')) kept.remove_suffix(1);
  return std::string(kept) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (lines.size() + 1 == most) {
      lines.push_back(shortened(text, width));
      break;
    }
    const std::size_t limit = offset_of(text, width);
    if (limit == text.size()) {
      lines.emplace_back(text);
      break;
    }
    const std::size_t space = text.substr(0, limit + 1).rfind(' ');
    const bool whole_words = space != std::string_view::npos && space > 0;
    lines.emplace_back(text.substr(0, whole_words ? space : limit));
    text.remove_prefix(whole_words ? space + 1 : limit);
  }
  return lines;
}

std::vector<double> round_ticks(double low, double high, std::size_t count) {
  const double rough = (high - low) / double(count);
  if (!(rough > 0) || !std::isfinite(rough)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  // Multiples are computed, not summed, so that 0 is 0; the slack lets a bound that is a multiple count.
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (std::size_t i = 0; i <= 2 * count && first + double(i) <= last; ++i)
    ticks.push_back((first + double(i)) * step + 0.0);
  return ticks;
}

std::string label_text(double value, int significant_digits) {
  const std::string text = fmt::format("{:.{}g}", value == 0 ? 0.0 : value, significant_digits);
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("−") : std::string(1, c);
  return out;
}

std::vector<std::string> cell_runs(std::size_t rows, std::size_t cols, std::span<const std::uint8_t> colours,
                                   std::size_t count) {
  std::vector<std::string> runs(count);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = colours.subspan(r * cols, cols);
    for (std::size_t begin = 0, end = 0; begin < cols; begin = end) {
      while (end < cols && row[end] == row[begin]) ++end;
      if (row[begin] < count)
        fmt::format_to(std::back_inserter(runs[row[begin]]), "M{} {}.5h{}", begin, r, end - begin);
    }
  }
  return runs;
}

}  // namespace mercer
