#include <gtest/gtest.h>

#include "data/image.hpp"
#include "data/png_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes;
using testing::refusal;
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
