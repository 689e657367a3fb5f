#include "mercer/kernels/histogram.hpp"

#include <algorithm>
#include <array>

namespace mercer {

void Histogram::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Images& images = x.images();
  const std::size_t first = images.starts[i], size = images.starts[i + 1] - first,
                    pixels = size / images.channels;
  std::array<std::uint64_t, 256> level_of{};
  for (std::size_t value = 0; value < level_of.size(); ++value)
    level_of[value] = value * std::size_t(levels) / 256;
  std::vector<std::uint64_t> colours(pixels);
  const std::uint8_t* at = images.pixels.data() + first;
  for (std::uint64_t& colour : colours) {
    for (std::size_t c = 0; c < 3; ++c)
      colour = colour * std::uint64_t(levels) + level_of[at[images.channels == 3 ? c : 0]];
    at += images.channels;
  }
  std::ranges::sort(colours);
  const double unit = count == "shares" ? double(pixels) : 1;
  for (std::size_t begin = 0, end = 0; begin < pixels; begin = end) {
    while (end < pixels && colours[end] == colours[begin]) ++end;
    out.add(colours[begin], double(end - begin) / unit);
  }
}

}  // namespace mercer
