#include <gtest/gtest.h>

#include "base/random.hpp"
#include "data/image.hpp"
#include "data/png_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes;
using testing::png_chunk;
using testing::png_file;
using testing::refusal;

using Pixels = std::vector<std::uint8_t>;

TEST(PngImage, ReadsGreyOfEveryDepth) {
  const Image one = decode_png(png_file(10, 1, 0, {bytes({0b10110000, 0b01000000})}), "f");
  EXPECT_EQ(one.channels, 1u);
  EXPECT_EQ(one.width, 10u);
  EXPECT_EQ(one.height, 1u);
  EXPECT_EQ(one.pixels, (Pixels{255, 0, 255, 255, 0, 0, 0, 0, 0, 255}));
  EXPECT_EQ(decode_png(png_file(3, 2, 0, {bytes({0b00011000}), bytes({0b11000000})}), "f").pixels,
            (Pixels{0, 85, 170, 255, 0, 0}));
  EXPECT_EQ(decode_png(png_file(2, 4, 0, {bytes({0x0f}), bytes({0x3a})}), "f").pixels,
            (Pixels{0, 255, 51, 170}));
  EXPECT_EQ(decode_png(png_file(3, 8, 0, {bytes({0, 77, 255})}), "f").pixels, (Pixels{0, 77, 255}));
}

TEST(PngImage, RoundsSixteenBitsToEight) {
  const std::vector<int> values{0, 1, 128, 129, 385, 386, 30000, 65406, 65407, 65535};
  std::string row;
  Pixels wanted;
  for (const int value : values) {
    row += bytes({value >> 8, value & 255});
    wanted.push_back(std::uint8_t(std::lround(value * 255.0 / 65535)));
  }
  EXPECT_EQ(decode_png(png_file(10, 16, 0, {row}), "f").pixels, wanted);
  const Image colour = decode_png(png_file(1, 16, 2, {bytes({0, 0, 0x75, 0x30, 0xff, 0xff})}), "f");
  EXPECT_EQ(colour.channels, 3u);
  EXPECT_EQ(colour.pixels, (Pixels{0, 117, 255}));
}

TEST(PngImage, ReadsColoursAndPalettes) {
  const Image colour = decode_png(png_file(2, 8, 2, {bytes({1, 2, 3, 250, 251, 252})}), "f");
  EXPECT_EQ(colour.channels, 3u);
  EXPECT_EQ(colour.pixels, (Pixels{1, 2, 3, 250, 251, 252}));
  const std::string palette = png_chunk("PLTE", bytes({10, 20, 30, 200, 100, 0}));
  EXPECT_EQ(decode_png(png_file(3, 8, 3, {bytes({1, 0, 1})}, palette), "f").pixels,
            (Pixels{200, 100, 0, 10, 20, 30, 200, 100, 0}));
  EXPECT_EQ(decode_png(png_file(3, 1, 3, {bytes({0b01000000})}, palette), "f").pixels,
            (Pixels{10, 20, 30, 200, 100, 0, 10, 20, 30}));
}

TEST(PngImage, PutsWhatIsTransparentOnWhite) {
  const auto on_white = [](int value, int alpha) {
    return std::uint8_t(std::lround((value * alpha + 255.0 * (255 - alpha)) / 255));
  };
  const Image grey = decode_png(png_file(4, 8, 4, {bytes({100, 0, 100, 255, 100, 51, 7, 200})}), "f");
  EXPECT_EQ(grey.channels, 1u);
  EXPECT_EQ(grey.pixels, (Pixels{255, 100, on_white(100, 51), on_white(7, 200)}));
  const Image colour = decode_png(png_file(1, 8, 6, {bytes({10, 130, 250, 128})}), "f");
  EXPECT_EQ(colour.pixels, (Pixels{on_white(10, 128), on_white(130, 128), on_white(250, 128)}));
  const std::string palette =
      png_chunk("PLTE", bytes({10, 20, 30, 200, 100, 0})) + png_chunk("tRNS", bytes({255, 0}));
  EXPECT_EQ(decode_png(png_file(2, 8, 3, {bytes({0, 1})}, palette), "f").pixels,
            (Pixels{10, 20, 30, 255, 255, 255}));
}

TEST(PngImage, ReadsWhatItWrites) {
  Random random(5);
  for (const std::size_t channels : {1, 3})
    for (const std::uint32_t height : {1u, 2u, 17u}) {
      Pixels pixels(height * 5 * channels);
      for (std::uint8_t& value : pixels) value = std::uint8_t(random.below(256));
      const Image read = decode_png(encode_png(pixels, height, 5, channels), "f");
      EXPECT_EQ(read.height, height);
      EXPECT_EQ(read.width, 5u);
      EXPECT_EQ(read.channels, channels);
      EXPECT_EQ(read.pixels, pixels);
    }
}

TEST(PngImage, RefusesSizesThatCannotBe) {
  std::string file = png_file(2, 8, 0, {bytes({1, 2})});
  const auto with_size = [&](std::uint32_t width, std::uint32_t height) {
    const std::string header = testing::big_endian(width) + testing::big_endian(height) + file.substr(24, 5);
    return file.substr(0, 8) + png_chunk("IHDR", header) + file.substr(33);
  };
  const auto message = [&](std::uint32_t width, std::uint32_t height) {
    return refusal([&] { decode_png(with_size(width, height), "f.png"); });
  };
  EXPECT_EQ(message(0, 5), "f.png: an image of 5 × 0 pixels; at least one is needed");
  EXPECT_EQ(message(1u << 31, 1u << 31),
            "f.png: an image of 2147483648 × 2147483648 pixels; at most 134217728 are read");
  EXPECT_EQ(message(10000, 10000),
            "f.png: an image of 10000 × 10000 pixels does not fit in 71 bytes; the file is damaged");
  EXPECT_EQ(refusal([&] { decode_png(file.substr(0, 20), "f.png"); }),
            "f.png: the PNG image ends after 20 bytes, within its header");
}

TEST(PngImage, RefusesOrReadsDamagedFilesWithoutACrash) {
  Random random(7);
  Pixels pixels(12 * 9 * 3);
  for (std::uint8_t& value : pixels) value = std::uint8_t(random.below(256));
  const std::string whole = encode_png(pixels, 12, 9, 3);
  constexpr std::size_t end_chunk = 12;  // behind all pixels
  for (std::size_t size = 0; size < whole.size() - end_chunk; size += 7)
    EXPECT_TRUE(refusal([&] { decode_png(whole.substr(0, size), "f.png"); }).starts_with("f.png: ")) << size;
  for (int k = 0; k < 500; ++k) {
    std::string damaged = whole;
    testing::damage(damaged, std::string_view("\0\1\xff", 3), random);
    try {
      const Image image = decode_png(damaged, "f.png");
      EXPECT_EQ(image.pixels.size(), std::size_t(image.height) * image.width * image.channels);
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("f.png: ")) << error.what();
    }
  }
}

using Pixels = std::vector<std::uint8_t>;

TEST(PnmImage, ReadsPlainAndRawGreyAndColour) {
  const Image grey = decode_pnm("P2\n3 2\n255\n0 1 2\n253 254 255\n", "f");
  EXPECT_EQ(grey.height, 2u);
  EXPECT_EQ(grey.width, 3u);
  EXPECT_EQ(grey.channels, 1u);
  EXPECT_EQ(grey.pixels, (Pixels{0, 1, 2, 253, 254, 255}));
  EXPECT_EQ(decode_pnm("P5 3 2 255\n" + bytes({0, 1, 2, 253, 254, 255}), "f").pixels, grey.pixels);
  const Image colour = decode_pnm("P3 1 2 255 1 2 3 4 5 6", "f");
  EXPECT_EQ(colour.channels, 3u);
  EXPECT_EQ(colour.pixels, (Pixels{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(decode_pnm("P6\n1 2\n255\n" + bytes({1, 2, 3, 4, 5, 6}), "f").pixels, colour.pixels);
}

TEST(PnmImage, BringsEveryLargestValueTo255) {
  EXPECT_EQ(decode_pnm("P2 4 1 3 0 1 2 3", "f").pixels, (Pixels{0, 85, 170, 255}));
  EXPECT_EQ(decode_pnm("P2 2 1 1 0 1", "f").pixels, (Pixels{0, 255}));
  EXPECT_EQ(decode_pnm("P5 3 1 65535\n" + bytes({0, 0, 0x75, 0x30, 0xff, 0xff}), "f").pixels,
            (Pixels{0, 117, 255}));
  EXPECT_EQ(decode_pnm("P2 1 1 65535 30000", "f").pixels, (Pixels{117}));
}

TEST(PnmImage, PassesOverCommentsAndKeepsTheFirstByteOfTheData) {
  EXPECT_EQ(decode_pnm("P5 # made by hand\n2 # wide\n# and\n1 255\n" + bytes({'\n', '#'}), "f").pixels,
            (Pixels{'\n', '#'}));
}

TEST(PnmImage, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) { return refusal([&] { decode_pnm(text, "f.ppm"); }); };
  EXPECT_EQ(message("P4 1 1 x"), "f.ppm: a .ppm or .pgm image begins with P2, P3, P5 or P6");
  EXPECT_EQ(message("P"), "f.ppm: a .ppm or .pgm image begins with P2, P3, P5 or P6");
  EXPECT_EQ(message("P5 3"), "f.ppm: the image ends where the height should be");
  EXPECT_EQ(message("P5 3 x"), "f.ppm: the height should be a number, at byte 6");
  EXPECT_EQ(message("P5 0 4 255\n"), "f.ppm: an image of 4 × 0 pixels; at least one is needed");
  EXPECT_EQ(message("P5 99999999999999999999 99999999999 255\n"),
            "f.ppm: an image of 4294967295 × 4294967295 pixels; at most 134217728 are read");
  EXPECT_EQ(message("P6 2 2 255\n" + bytes({1, 2, 3})),
            "f.ppm: an image of 2 × 2 pixels needs at least 12 bytes behind its header, but 3 follow; the "
            "file is cut off");
  EXPECT_EQ(message("P5 2 2 255"),
            "f.ppm: an image of 2 × 2 pixels needs at least 4 bytes behind its header, but 0 follow; the "
            "file is cut off");
  EXPECT_EQ(message("P6 10000 10000 255\n"),
            "f.ppm: an image of 10000 × 10000 pixels needs at least 300000000 bytes behind its header, but 0 "
            "follow; the file is cut off");
  EXPECT_EQ(message("P5 1 1 0\n1"), "f.ppm: the largest value is 0; it must be from 1 to 65535");
  EXPECT_EQ(message("P5 1 1 65536\n1"), "f.ppm: the largest value is 65536; it must be from 1 to 65535");
  EXPECT_EQ(message("P2 2 1 7 3 9"), "f.ppm: a value of 9 where 7 is the largest; the file is damaged");
  EXPECT_EQ(message("P2 2 1 7 3 -1"), "f.ppm: a value should be a number, at byte 12");
  EXPECT_EQ(message("P2 2 1 7 777     "),
            "f.ppm: a value of 777 where 7 is the largest; the file is damaged");
  EXPECT_EQ(message("P2 2 1 7 7     "), "f.ppm: the image ends where a value should be");
}

TEST(PnmImage, RefusesOrReadsDamagedFilesWithoutACrash) {
  Random random(3);
  for (const std::string& whole :
       {"P6 3 2 255\n" + std::string(18, 'a'), std::string("P3 2 2 9 1 2 3 4 5 6 7 8 9 1 2 3"),
        "P5 2 3 999\n" + bytes({0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6})})
    for (int k = 0; k < 500; ++k) {
      std::string damaged = whole;
      testing::damage(damaged, "P0123456789 #\n", random);
      try {
        const Image image = decode_pnm(damaged, "f");
        EXPECT_EQ(image.pixels.size(), std::size_t(image.height) * image.width * image.channels);
      } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("f: ")) << error.what();
      }
    }
}

}  // namespace
}  // namespace mercer
