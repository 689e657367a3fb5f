#include "plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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
  for (std::size_t i = 1; i < size; ++i)
    if (!continues(text[i])) return 0;
  if (size < 3) return size;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
  const bool forbidden = size == 3 && (text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf"));
  return overlong || beyond || forbidden ? 0 : size;
}

// Where character number `count` begins, or the end.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  for (; i < text.size(); ++i)
    if (!continues(text[i]) && count-- == 0) break;
  return i;
}

// Of the class of a colour in the style sheet.
std::string suffix(int colour) {
  constexpr std::string_view others[] = {"i", "m", "w", "b"};
  return colour < 0 ? std::string(others[-1 - colour]) : std::to_string(colour % palette_size);
}

}  // namespace

// s: stroke, f: fill; 0 … 7: the palette, i: ink, m: muted. Selectors carry the class, since inside a page a
// style applies to the whole page.
const std::string_view chart_style = R"(<style>
.mercer-chart{max-width:100%;height:auto}
.mercer-chart .page{fill:#fff}
.mercer-chart text{fill:#24292f;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.mercer-chart .title{font-weight:600;font-size:14px}
.mercer-chart .end{text-anchor:end}
.mercer-chart .mid{text-anchor:middle}
.mercer-chart .frame{fill:none;stroke:#57606a}
.mercer-chart .grid{fill:none;stroke:#d8dee4;stroke-width:.7}
.mercer-chart .halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
.mercer-chart .s0{stroke:#0072b2}.mercer-chart .f0{fill:#0072b2}
.mercer-chart .s1{stroke:#d55e00}.mercer-chart .f1{fill:#d55e00}
.mercer-chart .s2{stroke:#009e73}.mercer-chart .f2{fill:#009e73}
.mercer-chart .s3{stroke:#bf6498}.mercer-chart .f3{fill:#bf6498}
.mercer-chart .s4{stroke:#bf8300}.mercer-chart .f4{fill:#bf8300}
.mercer-chart .s5{stroke:#2e96ce}.mercer-chart .f5{fill:#2e96ce}
.mercer-chart .s6{stroke:#8f8400}.mercer-chart .f6{fill:#8f8400}
.mercer-chart .s7{stroke:#57606a}.mercer-chart .f7{fill:#57606a}
.mercer-chart .si{stroke:#24292f}.mercer-chart .fi{fill:#24292f}
.mercer-chart .sm{stroke:#8c959f}.mercer-chart .fm{fill:#57606a}
.mercer-chart .sw{stroke:#fff}.mercer-chart .fw{fill:#fff}
.mercer-chart .sb{stroke:#000}.mercer-chart .fb{fill:#000}
@media (prefers-color-scheme:dark){
.mercer-chart .page{fill:#15181d}
.mercer-chart text{fill:#e6e8eb}
.mercer-chart .frame{stroke:#a4acb5}
.mercer-chart .grid{stroke:#31373f}
.mercer-chart .halo{stroke:#15181d}
.mercer-chart .s0{stroke:#2f8fd0}.mercer-chart .f0{fill:#2f8fd0}
.mercer-chart .s1{stroke:#e8702a}.mercer-chart .f1{fill:#e8702a}
.mercer-chart .s2{stroke:#1fb88c}.mercer-chart .f2{fill:#1fb88c}
.mercer-chart .s3{stroke:#d98bb8}.mercer-chart .f3{fill:#d98bb8}
.mercer-chart .s4{stroke:#e69f00}.mercer-chart .f4{fill:#e69f00}
.mercer-chart .s5{stroke:#7cc8f2}.mercer-chart .f5{fill:#7cc8f2}
.mercer-chart .s6{stroke:#f0e442}.mercer-chart .f6{fill:#f0e442}
.mercer-chart .s7{stroke:#a4acb5}.mercer-chart .f7{fill:#a4acb5}
.mercer-chart .si{stroke:#e6e8eb}.mercer-chart .fi{fill:#e6e8eb}
.mercer-chart .sm{stroke:#6e7681}.mercer-chart .fm{fill:#a4acb5}
}
</style>
)";

std::size_t characters(std::string_view text) {
  return std::size_t(std::ranges::count_if(text, [](char byte) { return !continues(byte); }));
}

double text_width(std::string_view text) {
  double width = 0;
  for (const char byte : text) width += continues(byte) ? 0 : 6.8;
  return width;
}

std::string escape_xml(std::string_view text) {
  constexpr std::string_view special = "&<>\"'", escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text), place = special.find(text[0]);
    const bool control = static_cast<unsigned char>(text[0]) < 0x20 &&
                         std::string_view("\t\n\r").find(text[0]) == std::string_view::npos;
    if (size == 0 || control)
      out += "\xef\xbf\xbd";
    else
      out += place < special.size() ? escapes[place] : text.substr(0, size);
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

std::string stroke_class(int colour) { return "s" + suffix(colour); }
std::string fill_class(int colour) { return "f" + suffix(colour); }

std::string opacity_attribute(double opacity) {
  return opacity < 1 ? fmt::format(" opacity=\"{:.2f}\"", opacity) : "";
}

std::string pixels(double value) {
  const double tenths = std::round(value * 10);
  const long whole = long(tenths) / 10, rest = std::labs(long(tenths) % 10);
  if (rest == 0) return std::to_string(whole);
  return fmt::format("{}{}.{}", tenths < 0 && whole == 0 ? "-" : "", whole, rest);
}

std::vector<double> round_ticks(double low, double high, std::size_t count) {
  const double rough = (high - low) / double(count);
  if (!(rough > 0) || !std::isfinite(rough)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * 0.999) step = factor * power;
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
