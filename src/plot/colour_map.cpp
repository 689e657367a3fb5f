#include "plot/colour_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/svg.hpp"

namespace mercer {

namespace {

using Anchors = std::array<std::uint32_t, 11>;  // 0xRRGGBB, evenly spaced over the range

constexpr Anchors viridis{0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                          0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr Anchors blue_red{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                           0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

std::uint8_t blend(std::uint32_t from, std::uint32_t to, int shift, double share) {
  const double a = (from >> shift) & 255, b = (to >> shift) & 255;
  return std::uint8_t(std::lround(a + (b - a) * share));
}

}  // namespace

std::string Colour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

ColourMap::ColourMap(double smallest, double largest) noexcept
    : scheme_(ColourScheme::sequential), low_(smallest), high_(largest) {
  constexpr double substantial = 0.1, near_zero = 0.05;
  const double reach = std::max(-smallest, largest);
  if (smallest < 0 && largest > 0 && std::min(-smallest, largest) >= substantial * reach) {
    scheme_ = ColourScheme::diverging;
    low_ = -reach;
    high_ = reach;
  }
  // Kernel values that nearly reach 0 read best on a scale that begins there.
  if (low_ > 0 && low_ < near_zero * high_) low_ = 0;
  if (high_ < 0 && high_ > near_zero * low_) high_ = 0;
  // A constant matrix gets a range around its value, wide enough to survive rounding.
  const double room = std::max(std::abs(low_), std::abs(high_)) * 1e-6;
  if (!(high_ - low_ > room)) {
    const double half = low_ == 0 ? 0.5 : std::abs(low_) / 2;
    low_ -= half;
    high_ += half;
  }
}

std::size_t ColourMap::step(double value) const noexcept {
  const double share = (value - low_) / (high_ - low_);
  return std::size_t(std::clamp(share * double(steps), 0.0, double(steps - 1)));
}

Colour ColourMap::colour(std::size_t step) const noexcept {
  const Anchors& anchors = scheme_ == ColourScheme::diverging ? blue_red : viridis;
  const double place = double(step) / double(steps - 1) * double(anchors.size() - 1);
  const std::size_t first = std::min(std::size_t(place), anchors.size() - 2);
  const double share = place - double(first);
  const auto channel = [&](int shift) { return blend(anchors[first], anchors[first + 1], shift, share); };
  return {channel(16), channel(8), channel(0)};
}

std::string heat_markup(std::size_t rows, std::size_t cols, std::span<const double> values,
                        const ColourMap& map) {
  constexpr std::size_t grey = ColourMap::steps;
  std::vector<std::uint8_t> steps;
  for (const double value : values)
    steps.push_back(std::uint8_t(std::isfinite(value) ? map.step(value) : grey));
  const std::vector<std::string> runs = cell_runs(rows, cols, steps, grey + 1);
  std::string out;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].empty())
      out +=
          fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", i == grey ? "#999" : map.colour(i).hex(), runs[i]);
  return out;
}

std::string scale_markup(const ColourMap& map, const Frame& frame) {
  std::string out = "<g shape-rendering=\"crispEdges\">\n";
  const double step = frame.height / double(ColourMap::steps);
  for (std::size_t i = 0; i < ColourMap::steps; ++i)
    out += fmt::format("<rect x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", frame.x,
                       frame.y + frame.height - double(i + 1) * step, frame.width, step, map.colour(i).hex());
  return out + "</g>\n";
}

}  // namespace mercer
