// Images of random pixels for the tests of their kernels.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "mercer/objects.hpp"
#include "mercer/points.hpp"

namespace mercer {

struct SampleImage {
  std::size_t height, width, channels;
  std::vector<std::uint8_t> pixels;  // height × width × channels
  double at(std::size_t r, std::size_t c, std::size_t k = 0) const {
    return pixels[(r * width + c) * channels + k];
  }
};

inline SampleImage random_image(std::size_t height, std::size_t width, std::size_t channels,
                                std::uint64_t seed) {
  Random random(seed);
  SampleImage image{height, width, channels, {}};
  for (std::size_t e = 0; e < height * width * channels; ++e)
    image.pixels.push_back(std::uint8_t(random.uniform() * 256));
  return image;
}

inline Points column_of_images(const std::vector<SampleImage>& list) {
  const std::size_t n = list.size();
  std::size_t all = 0;
  for (const SampleImage& image : list) all += image.pixels.size();
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n),
                n ? list.front().channels : 1, Buffer<std::uint8_t>(all)};
  images.starts[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    images.heights[i] = std::uint32_t(list[i].height);
    images.widths[i] = std::uint32_t(list[i].width);
    std::ranges::copy(list[i].pixels, images.pixels.begin() + std::ptrdiff_t(images.starts[i]));
    images.starts[i + 1] = images.starts[i] + list[i].pixels.size();
  }
  return Points(Objects("image", Domain::image, Objects::Storage(std::move(images))));
}

}  // namespace mercer
