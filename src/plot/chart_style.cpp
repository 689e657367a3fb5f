#include "plot/chart_style.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "plot/chart.hpp"

namespace mercer {

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

namespace {

std::string suffix(int colour) {
  constexpr std::string_view others[] = {"i", "m", "w", "b"};
  return colour < 0 ? std::string(others[-1 - colour]) : std::to_string(colour % palette_size);
}

}  // namespace

std::string stroke_class(int colour) { return "s" + suffix(colour); }
std::string fill_class(int colour) { return "f" + suffix(colour); }

std::string pixels(double value) {
  const double tenths = std::round(value * 10);
  const long whole = long(tenths) / 10, rest = std::labs(long(tenths) % 10);
  if (rest == 0) return std::to_string(whole);
  return fmt::format("{}{}.{}", tenths < 0 && whole == 0 ? "-" : "", whole, rest);
}

double text_width(std::string_view text) {
  double width = 0;
  for (const char byte : text) width += (static_cast<unsigned char>(byte) & 0xc0) == 0x80 ? 0 : 6.8;
  return width;
}

}  // namespace mercer
