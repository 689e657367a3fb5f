#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

struct Picture {
  std::uint32_t height, width;
  std::vector<std::uint8_t> pixels;
};

Points images_of(const std::vector<Picture>& pictures, std::size_t channels) {
  std::size_t total = 0;
  for (const Picture& picture : pictures) total += picture.pixels.size();
  const std::size_t n = pictures.size();
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n), channels,
                Buffer<std::uint8_t>(total)};
  images.starts[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    images.heights[i] = pictures[i].height;
    images.widths[i] = pictures[i].width;
    images.starts[i + 1] = images.starts[i] + pictures[i].pixels.size();
    std::ranges::copy(pictures[i].pixels, images.pixels.data() + images.starts[i]);
  }
  return Points(Objects("image", Domain::image, Objects::Storage(std::move(images))));
}

std::vector<Picture> random_pictures(std::size_t n, std::size_t channels, std::uint64_t seed) {
  Random random(seed);
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i < n; ++i) {
    Picture picture{std::uint32_t(1 + random.below(5)), std::uint32_t(1 + random.below(6)), {}};
    picture.pixels.resize(picture.height * picture.width * channels);
    for (std::uint8_t& value : picture.pixels) value = std::uint8_t(random.below(256));
    pictures.push_back(picture);
  }
  return pictures;
}

/// The bins as a map from the levels of the channels to the share of pixels.
std::map<std::vector<int>, double> bins(const Picture& picture, std::size_t channels, int levels,
                                        bool shares) {
  std::map<std::vector<int>, double> found;
  const std::size_t pixels = picture.height * picture.width;
  for (std::size_t p = 0; p < pixels; ++p) {
    std::vector<int> colour;
    for (std::size_t c = 0; c < channels; ++c)
      colour.push_back(int(std::floor(picture.pixels[p * channels + c] / 256.0 * levels)));
    found[colour] += shares ? 1.0 / double(pixels) : 1;
  }
  return found;
}

double intersection_of(const std::map<std::vector<int>, double>& x,
                       const std::map<std::vector<int>, double>& z) {
  double sum = 0;
  for (const auto& [colour, share] : x)
    if (const auto found = z.find(colour); found != z.end()) sum += std::min(share, found->second);
  return sum;
}

double chi2_of(const std::map<std::vector<int>, double>& x, const std::map<std::vector<int>, double>& z) {
  double sum = 0;
  for (const auto& [colour, share] : x) {
    const auto found = z.find(colour);
    const double other = found == z.end() ? 0 : found->second;
    sum += (share - other) * (share - other) / (share + other);
  }
  for (const auto& [colour, share] : z)
    if (!x.contains(colour)) sum += share;
  return sum;
}

TEST(Histogram, EqualsItsDefinitionOverAllColours) {
  for (const std::size_t channels : {1, 3})
    for (const int levels : {1, 2, 3, 16, 256})
      for (const bool shares : {true, false}) {
        const auto pictures = random_pictures(9, channels, 3), others = random_pictures(4, channels, 4);
        const Kernel k = histogram({.levels = levels, .count = shares ? "shares" : "pixels"});
        const KernelOperator<double> K(k, images_of(others, channels), images_of(pictures, channels), {});
        std::vector<double> values(4 * 9);
        K.tile({0, 4}, {0, 9}, values);
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = 0; j < 9; ++j)
            EXPECT_NEAR(values[i * 9 + j],
                        intersection_of(bins(others[i], channels, levels, shares),
                                        bins(pictures[j], channels, levels, shares)),
                        1e-12)
                << k.text() << " " << channels;
      }
}

TEST(Histogram, LendsItsBinsToOtherKernels) {
  const auto pictures = random_pictures(7, 3, 5);
  const KernelOperator<double> K(Kernel::parse("mapped(chi2(gamma=0.7), by=\"histogram(levels=2)\")"),
                                 images_of(pictures, 3));
  std::vector<double> values(49);
  K.tile({0, 7}, {0, 7}, values);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 7; ++j)
      EXPECT_NEAR(values[i * 7 + j],
                  std::exp(-0.7 * chi2_of(bins(pictures[i], 3, 2, true), bins(pictures[j], 3, 2, true))),
                  1e-12);
}

TEST(Histogram, ComparesGreyImagesWithColouredOnes) {
  const Picture grey{1, 2, {10, 200}}, colour{1, 2, {10, 10, 10, 200, 10, 10}};
  std::vector<double> value(1);
  KernelOperator<double>(histogram(), images_of({grey}, 1), images_of({colour}, 3), {})
      .tile({0, 1}, {0, 1}, value);
  EXPECT_EQ(value[0], 0.5);
}

TEST(Histogram, OfNoPixelsIsEmpty) {
  const Points points = images_of({{0, 3, {}}, {1, 1, {7}}}, 1);
  std::vector<double> values(4);
  KernelOperator<double>(Kernel::parse("normalize(histogram)"), points).tile({0, 2}, {0, 2}, values);
  EXPECT_EQ(values, (std::vector<double>{0, 0, 0, 1}));
}

TEST(Histogram, IsPositiveSemidefiniteOnSamples) {
  for (const char* text : {"histogram", "histogram(levels=3, count=pixels)", "exp(histogram(levels=2))",
                           "mapped(chi2(gamma=1), by=histogram)"}) {
    const std::size_t n = 12;
    const KernelOperator<double> K(Kernel::parse(text), images_of(random_pictures(n, 3, 6), 3));
    std::vector<double> values(n * n);
    K.tile({0, n}, {0, n}, values);
    Random random(9);
    for (int k = 0; k < 200; ++k) {
      std::vector<double> c(n);
      for (double& v : c) v = random.normal();
      double form = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) form += c[i] * values[i * n + j] * c[j];
      EXPECT_GE(form, -1e-9) << text;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(values[i * n + j], values[j * n + i]) << text;
  }
}

TEST(Histogram, PrintsParsesAndRefuses) {
  EXPECT_EQ(Kernel::parse("histogram").text(), "histogram(levels=16, count=shares)");
  const auto message = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_TRUE(message("histogram(levels=257)")
                  .starts_with("histogram: levels must be a whole number from 1 to 256, not 257"));
  EXPECT_TRUE(
      message("histogram(levels=2.5)").starts_with("histogram: levels must be a whole number, not 2.5"));
  EXPECT_TRUE(
      message("histogram(count=both)").starts_with("histogram: count must be shares or pixels, not both"));
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [] {
                      KernelOperator<double>(histogram(), Points({{1, 2}}));
                    }),
            "histogram compares images, but the data have rows of numbers alone");
}

}  // namespace
}  // namespace mercer
