#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mercer/generate.hpp"

namespace mercer {
namespace {

TEST(ColourImages, ShareMoreColoursWithinAClassThanBetweenClasses) {
  const Dataset data = generate("colour_images", {.n = 140});
  const Images& images = data.points.objects()[0].images();
  EXPECT_EQ(images.channels, 3u);
  std::vector<std::set<int>> colours(data.rows());  // in 8 levels
  for (std::size_t i = 0; i < data.rows(); ++i) {
    EXPECT_EQ(images.heights[i], 32u);
    for (std::size_t at = images.starts[i]; at < images.starts[i + 1]; at += 3)
      colours[i].insert((images.pixels[at] / 32 * 8 + images.pixels[at + 1] / 32) * 8 +
                        images.pixels[at + 2] / 32);
  }
  double within = 0, between = 0, pairs_within = 0, pairs_between = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto shared =
          double(std::ranges::count_if(colours[i], [&](int colour) { return colours[j].contains(colour); }));
      const bool same = data.target.codes[i] == data.target.codes[j];
      (same ? within : between) += shared;
      (same ? pairs_within : pairs_between) += 1;
    }
  EXPECT_GT(within / pairs_within, 1.5 * between / pairs_between);
}

TEST(DigitImages, AreDigitsOnBlack) {
  const Dataset data = generate("digit_images", {.n = 10, .noise = 0.0});
  const Images& images = data.points.objects()[0].images();
  EXPECT_EQ(images.channels, 1u);
  std::vector<double> ink(10);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t at = images.starts[i]; at < images.starts[i + 1]; ++at)
      ink[i] += images.pixels[at] / 255.0;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_GT(ink[i], 15) << i;
    EXPECT_LT(ink[i], 80) << i;
    EXPECT_GT(ink[8] + 8, ink[i]) << "an eight has much ink; " << i;
  }
}

}  // namespace
}  // namespace mercer
