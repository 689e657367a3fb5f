#include "kernels/image_frames.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/image_samples.hpp"

namespace mercer {
namespace {

TEST(ImageFrames, OfRowsAreSquareUnlessAWidthIsGiven) {
  EXPECT_EQ(frame_of_rows(784, 0, "orbit").height, 28u);
  EXPECT_EQ(frame_of_rows(12, 4, "orbit").height, 3u);
  EXPECT_EQ(refusal(ErrorKind::data, [] { frame_of_rows(12, 5, "patches"); }),
            "patches: rows of 12 columns are no images of width 5; it must divide the number of columns");
  EXPECT_EQ(
      refusal(ErrorKind::data, [] { frame_of_rows(12, 0, "patches"); }),
      "patches: rows of 12 columns are no square images; say how wide they are, e.g. width=3, or give a "
      "column of images");
}

TEST(ImageFrames, PreferAColumnOfImages) {
  EXPECT_EQ(images_in(column_of_images({random_image(2, 2, 1, 1)}), "orbit").size(), 1u);
  EXPECT_TRUE(images_in(Points(std::vector<std::vector<double>>{{1}}), "orbit").empty());
}

TEST(ImageFrames, CountPixelsInWholeNumbers) {
  EXPECT_EQ(pixel_count(3.0, "size", 1, 5), 3);
  EXPECT_EQ(refusal(ErrorKind::usage, [] { pixel_count(Word{"all"}, "size", 1, 5); }),
            "size must be a whole number from 1 to 5, not all");
}

}  // namespace
}  // namespace mercer
