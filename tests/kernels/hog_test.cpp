#include "mercer/kernels/hog.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "base/refusal.hpp"
#include "kernels/image_samples.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/features.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

/// The share of a vote at `place` that the bin or cell at `centre` gets, places `step` apart.
double share(double place, double centre, double step) {
  return std::max(0.0, 1 - std::abs(place - centre) / step);
}

/// The descriptor by its definition: every cell looks at every pixel.
std::vector<double> descriptor(const SampleImage& image, const Hog& hog) {
  const std::size_t cell = std::size_t(hog.cell), down = image.height / cell, across = image.width / cell,
                    bins = std::size_t(hog.bins), block = std::size_t(hog.block);
  const double turn = hog.direction == "signed" ? 360 : 180, step = turn / double(bins);
  std::vector<double> h(down * across * bins);
  for (std::size_t y = 0; y < down; ++y)
    for (std::size_t x = 0; x < across; ++x)
      for (std::size_t r = 0; r < down * cell; ++r)
        for (std::size_t c = 0; c < across * cell; ++c) {
          double gy = 0, gx = 0;
          for (std::size_t k = 0; k < image.channels; ++k) {
            const double v = image.at(std::min(r + 1, image.height - 1), c, k) -
                             image.at(r ? r - 1 : 0, c, k),
                         u = image.at(r, std::min(c + 1, image.width - 1), k) - image.at(r, c ? c - 1 : 0, k);
            if (v * v + u * u > gy * gy + gx * gx) gy = v, gx = u;
          }
          double angle = std::atan2(gy, gx) * 180 / std::numbers::pi;
          while (angle < 0) angle += turn;
          while (angle >= turn) angle -= turn;
          const double place = share(double(r), (double(y) + 0.5) * double(cell) - 0.5, double(cell)) *
                               share(double(c), (double(x) + 0.5) * double(cell) - 0.5, double(cell));
          for (std::size_t b = 0; b < bins; ++b) {
            const double centre = (double(b) + 0.5) * step;
            const double direction = share(angle, centre, step) + share(angle + turn, centre, step) +
                                     share(angle - turn, centre, step);
            h[(y * across + x) * bins + b] += std::sqrt(gy * gy + gx * gx) * place * direction;
          }
        }
  std::vector<double> all;
  for (std::size_t y = 0; y + block <= down; ++y)
    for (std::size_t x = 0; x + block <= across; ++x) {
      std::vector<double> v;
      for (std::size_t i = 0; i < block; ++i)
        for (std::size_t j = 0; j < block; ++j)
          for (std::size_t b = 0; b < bins; ++b) v.push_back(h[((y + i) * across + x + j) * bins + b]);
      double length = 0, clipped = 0;
      for (const double value : v) length += value * value;
      for (double& value : v) {
        value = std::min(value / std::sqrt(length + 1), hog.clip);
        clipped += value * value;
      }
      for (const double value : v)
        all.push_back(clipped > 0 ? value * std::sqrt(length / (length + 1) / clipped) : 0);
    }
  return all;
}

TEST(Hog, IsTheDotProductOfTheDescriptors) {
  for (const Hog& hog : {Hog{.cell = 4, .bins = 9, .block = 2, .direction = "unsigned", .clip = 0.2},
                         Hog{.cell = 3, .bins = 4, .block = 1, .direction = "signed", .clip = 1},
                         Hog{.cell = 1, .bins = 2, .block = 3, .direction = "unsigned", .clip = 0.5}})
    for (const std::size_t channels : {1, 3}) {
      std::vector<SampleImage> images;
      for (std::uint64_t seed = 1; seed < 5; ++seed) images.push_back(random_image(9, 13, channels, seed));
      images.push_back({9, 13, channels, std::vector<std::uint8_t>(9 * 13 * channels, 77)});  // flat
      const auto K = matrix_of(mercer::hog(hog), column_of_images(images));
      for (std::size_t i = 0; i < images.size(); ++i)
        for (std::size_t j = 0; j < images.size(); ++j) {
          const auto a = descriptor(images[i], hog), b = descriptor(images[j], hog);
          EXPECT_NEAR(K[i * images.size() + j], std::inner_product(a.begin(), a.end(), b.begin(), 0.0),
                      1e-10);
        }
      EXPECT_EQ(K.back(), 0) << "a flat image has no gradients";
    }
}

TEST(Hog, OfAnEdgeIsOneDirection) {
  SampleImage edge{8, 8, 1, {}};  // dark on the left, light on the right: the gradient points to the right
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) edge.pixels.push_back(c < 4 ? 0 : 100);
  FeatureRow row;
  Hog{.cell = 8, .bins = 4, .block = 1, .clip = 1}.features(column_of_images({edge}).objects().front(), 0,
                                                            row);
  ASSERT_EQ(row.entries().size(), 2u) << "0 degrees lies between the first and the last direction";
  EXPECT_EQ(row.entries()[0].key, 0u);
  EXPECT_EQ(row.entries()[1].key, 3u);
  EXPECT_NEAR(row.entries()[0].value, row.entries()[1].value, 1e-12);
}

TEST(Hog, HardlyChangesWithContrastAndNotWithItsSign) {
  SampleImage image = random_image(16, 16, 1, 1), faint = image, negative = image;
  for (auto& pixel : faint.pixels) pixel = std::uint8_t(100 + pixel / 4);
  for (auto& pixel : negative.pixels) pixel = std::uint8_t(255 - pixel);
  const Points points = column_of_images({image, faint, negative});
  const auto K = matrix_of(normalize(hog()), points);
  EXPECT_GT(K[1], 0.995);
  EXPECT_NEAR(K[2], 1, 1e-12);
  SampleImage light{16, 16, 1, {}}, dark = light;
  for (int e = 0; e < 256; ++e) {
    light.pixels.push_back(e % 16 < 8 ? 0 : 100);
    dark.pixels.push_back(e % 16 < 8 ? 100 : 0);
  }
  const Points edges = column_of_images({light, dark});
  EXPECT_NEAR(matrix_of(normalize(hog()), edges)[1], 1, 1e-12);
  EXPECT_EQ(matrix_of(normalize(hog({.direction = "signed"})), edges)[1], 0);
}

TEST(Hog, RefusesImagesThatAreTooSmallOrOfAnotherSize) {
  const Kernel k = Kernel::parse("hog(cell=4)");
  EXPECT_EQ(
      refusal(ErrorKind::data,
              [&] {
                matrix_of(k, column_of_images({random_image(8, 8, 1, 1), random_image(7, 9, 1, 1)}));
              }),
      "hog: image 2 of column 'image' is 7 × 9 pixels, smaller than a block of 8 × 8; make cell or block "
      "smaller");
  EXPECT_EQ(
      refusal(ErrorKind::data,
              [&] {
                matrix_of(k, column_of_images({random_image(8, 8, 1, 1), random_image(8, 12, 1, 1)}));
              }),
      "hog: image 2 of column 'image' is 8 × 12 pixels, but image 1 is 8 × 8 pixels; bring all to one size, "
      "or compare them as sets: patches(hog(cell=4), size=16)");
  EXPECT_EQ(
      refusal(ErrorKind::data,
              [&] {
                matrix_of(k, column_of_images({random_image(12, 12, 1, 1)}),
                          column_of_images({random_image(8, 8, 1, 1)}));
              }),
      "column 'image' holds images of 3 × 3 cells, but those they are compared with are images of 2 × 2 "
      "cells; all must have one size");
  EXPECT_NO_THROW(matrix_of(k, column_of_images({random_image(9, 8, 1, 1), random_image(8, 11, 1, 1)})));
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("hog(cell=0)").find("cell must be a whole number from 1 to 256, not 0"),
            std::string::npos);
  EXPECT_NE(parsed("hog(clip=0)").find("clip must be > 0 and at most 1, not 0"), std::string::npos);
}

}  // namespace
}  // namespace mercer
