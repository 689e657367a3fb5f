#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "svg_text.hpp"

namespace mercer {
namespace {

// Two clouds far apart whose rows alternate: K in the order of the classes is two blocks of ones.
Dataset two_clouds() {
  return {.points = Points({{0.0}, {9.0}, {0.0}, {9.0}, {0.0}}),
          .target = {.task = Task::classification, .labels = {"near", "far"}, .codes = {0, 1, 0, 1, 0}}};
}

TEST(GramPicture, RowsOfAClassAreTogether) {
  const std::vector<float> blocks{1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1};
  const MatrixPictureOptions options{.title = "rbf(gamma=9)", .groups = {{"near", 0, 3}, {"far", 3, 5}}};
  const std::string expected = matrix_picture(blocks, 5, 5, options);
  EXPECT_EQ(gram_picture(Kernel::parse("rbf(gamma=9)"), two_clouds()), expected);
  const Points shuffled(
      {{1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}, {1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}, {1, 0, 1, 0, 1}});
  EXPECT_EQ(matrix_picture_by_class(shuffled, two_clouds().target, "rbf(gamma=9)"), expected);
}

TEST(GramPicture, WithoutClassesTheOrderIsThatOfTheData) {
  Dataset data = two_clouds();
  data.target = {};
  const std::string svg = gram_picture(Kernel::parse("rbf(gamma=9)"), data, {.title = "ours"});
  EXPECT_EQ(svg, matrix_picture(std::vector<float>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
                                                   0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
                                5, 5, {.title = "ours"}));
}

TEST(GramPicture, ASampleOfManyRowsIsNotedAndTheFileStaysSmall) {
  const std::string svg =
      gram_picture(Kernel::parse("rbf(gamma=1)"), generate("noise", {.n = 1500, .dim = 3}));
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">1024 of 1500 rows, chosen at random<"), 1u);
  EXPECT_LT(svg.size(), 300000u);
}

TEST(GramPicture, RefusesWhatDoesNotBelongTogether) {
  const Target target = two_clouds().target;
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      matrix_picture_by_class(Points({{1, 2}, {3, 4}}), target, "");
                    }),
            "there are classes of 5 rows, but the matrix has 2");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      matrix_picture_by_class(Points({{1, 2}}), target, "");
                    }),
            "a 1 × 2 matrix has no order of classes; it must be square");
}

}  // namespace
}  // namespace mercer
