#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/error.hpp"
#include "mercer/generate.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "plot/matrix_cells.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

std::vector<float> gaussian_gram(std::size_t n) {
  std::vector<float> K(n * n);  // n × n
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) K[i * n + j] = float(std::exp(-std::pow(double(i) - double(j), 2)));
  return K;
}

std::string refusal(std::span<const float> values, std::size_t rows, std::size_t cols,
                    const MatrixPictureOptions& options = {}) {
  try {
    matrix_picture(values, rows, cols, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(MatrixPicture, IsASelfContainedSvg) {
  const std::string svg = matrix_picture(gaussian_gram(30), 30, 30, {.title = "rbf(gamma=1)"});
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find("<title>rbf(gamma=1)</title>"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(svg.find(">30 × 30, values from 0 to 1<"), std::string::npos);
  for (const char* outside : {"<script", "href", "url(", "@import", "<image"})
    EXPECT_EQ(svg.find(outside), std::string::npos) << outside;
}

TEST(MatrixPicture, NumbersRowsAndColumnsFromOne) {
  const std::string svg = matrix_picture(gaussian_gram(30), 30, 30);
  EXPECT_EQ(count(svg, ">1</text>"), 3u);  // the first row, the first column, the top of the colour bar
  EXPECT_EQ(count(svg, ">30</text>"), 2u);
  EXPECT_EQ(count(svg, ">0.4</text>"), 1u);
}

TEST(MatrixPicture, EscapesTitleAndLabels) {
  const std::string svg = matrix_picture(
      gaussian_gram(4), 4, 4, {.title = "a<b & \"c\"", .groups = {{"<i>&", 0, 2}, {"\xff", 2, 4}}});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "a&lt;b &amp; &quot;c&quot;"), 2u);
  EXPECT_NE(svg.find(">&lt;i&gt;&amp;</text>"), std::string::npos);
  EXPECT_NE(svg.find(">\uFFFD</text>"), std::string::npos);
}

TEST(MatrixPicture, DrawsAnIdentityInTwoColours) {
  const std::vector<float> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::string svg = matrix_picture(identity, 3, 3);
  EXPECT_NE(svg.find("<path stroke=\"#440154\" d=\"M1 0.5h2M0 1.5h1M2 1.5h1M0 2.5h2\"/>"), std::string::npos);
  EXPECT_NE(svg.find("<path stroke=\"#fde725\" d=\"M0 0.5h1M1 1.5h1M2 2.5h1\"/>"), std::string::npos);
}

TEST(MatrixPicture, DivergesForBothSigns) {
  const std::vector<float> values{1, -1, -1, 1};
  const std::string svg = matrix_picture(values, 2, 2);
  EXPECT_NE(svg.find("<path stroke=\"#053061\""), std::string::npos);
  EXPECT_NE(svg.find("<path stroke=\"#67001f\""), std::string::npos);
  EXPECT_NE(svg.find(">−1</text>"), std::string::npos);
}

TEST(MatrixPicture, ShowsWhatIsNotFiniteInGrey) {
  std::vector<float> values = gaussian_gram(3);
  values[1] = std::nanf("");
  const std::string svg = matrix_picture(values, 3, 3);
  EXPECT_NE(svg.find("<path stroke=\"#999\" d=\"M1 0.5h1\"/>"), std::string::npos);
  EXPECT_NE(svg.find(">1 value is not finite (grey)<"), std::string::npos);
  EXPECT_TRUE(well_formed(matrix_picture(std::vector<float>(9, std::nanf("")), 3, 3)));
}

TEST(MatrixPicture, StaysSmallForALargeMatrixOfNoise) {
  Random random(1);
  std::vector<float> values(1000 * 1000);
  for (float& value : values) value = float(random.normal());
  const std::string svg = matrix_picture(values, 1000, 1000);
  EXPECT_LT(svg.size(), 2'000'000u);
  EXPECT_LT(count(svg, "<"), 400u);
  EXPECT_NE(svg.find(">a cell is the mean of 3.9 × 3.9 values<"), std::string::npos);
}

TEST(MatrixPicture, DrawsEveryShape) {
  for (const auto& [rows, cols] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {1, 3000}, {3000, 1}, {257, 256}, {2, 40}}) {
    std::vector<float> values(rows * cols);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
    EXPECT_TRUE(well_formed(matrix_picture(values, rows, cols, {.title = std::string(500, 'k')})));
  }
}

TEST(MatrixPicture, SeparatesGroups) {
  const std::string svg =
      matrix_picture(gaussian_gram(20), 20, 20, {.groups = {{"first", 0, 10}, {"second", 10, 20}}});
  EXPECT_NE(svg.find(">first</text>"), std::string::npos);
  EXPECT_NE(svg.find(">second</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "class=\"line\""), 1u);
  EXPECT_EQ(count(matrix_picture(gaussian_gram(20), 20, 20), "class=\"line\""), 0u);
}

TEST(MatrixPicture, LeavesOutSeparatorsThatWouldHideTheCells) {
  MatrixPictureOptions options;
  for (std::size_t i = 0; i < 500; ++i) options.groups.push_back({"g" + std::to_string(i), i, i + 1});
  const std::string svg = matrix_picture(gaussian_gram(500), 500, 500, options);
  EXPECT_LT(count(svg, ">g"), 45u);
  EXPECT_TRUE(well_formed(svg));
}

TEST(MatrixPicture, RefusesWhatIsNoMatrix) {
  const std::vector<float> six(6);
  EXPECT_EQ(refusal({}, 0, 3), "a picture of a 0 × 3 matrix is impossible; it needs a row and a column");
  EXPECT_EQ(refusal({}, 3, 0), "a picture of a 3 × 0 matrix is impossible; it needs a row and a column");
  EXPECT_EQ(refusal(six, 2, 2), "6 values are not a 2 × 2 matrix");
  EXPECT_EQ(refusal(six, std::size_t{1} << 63, 2), "6 values are not a 9223372036854775808 × 2 matrix");
}

TEST(MatrixPicture, RefusesGroupsThatOverlapOrLeaveTheMatrix) {
  const std::vector<float> six(6);
  const auto with = [&](std::vector<MatrixPictureOptions::Group> groups) {
    return refusal(six, 3, 2, {.groups = std::move(groups)});
  };
  EXPECT_EQ(with({{"a", 0, 2}, {"b", 1, 3}}),
            "group 'b' of rows 1 to 3 is impossible; groups must ascend within 3 rows");
  EXPECT_NE(with({{"a", 0, 4}}), "accepted");
  EXPECT_NE(with({{"a", 2, 2}}), "accepted");
  EXPECT_EQ(with({{"a", 0, 1}, {"b", 2, 3}}), "accepted");
}

TEST(MatrixCells, KeepASmallMatrixAsItIs) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const MatrixCells cells = average(values, 2, 3, 2, 3);
  EXPECT_EQ(cells.means, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cells.low, 1);
  EXPECT_EQ(cells.high, 6);
}

TEST(MatrixCells, AreMeansOfBlocks) {
  const std::vector<float> values{1, 3, 10, 20,  //
                                  5, 7, 30, 40,  //
                                  0, 0, -1, -1,  //
                                  0, 8, -1, -1};
  const MatrixCells cells = average(values, 4, 4, 2, 2);
  EXPECT_EQ(cells.means, (std::vector<double>{4, 25, 2, -1}));
  EXPECT_EQ(cells.low, -1);
  EXPECT_EQ(cells.high, 25);
  EXPECT_EQ(cells.smallest, -1);
  EXPECT_EQ(cells.largest, 40);
}

TEST(MatrixCells, CoverEveryValueOfUnevenBlocks) {
  std::vector<float> values(7 * 5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  const MatrixCells cells = average(values, 7, 5, 3, 2);
  const double sizes[] = {2, 2, 3}, widths[] = {2, 3};
  double sum = 0;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 2; ++c) sum += cells.means[r * 2 + c] * sizes[r] * widths[c];
  EXPECT_NEAR(sum, 34 * 35 / 2, 1e-9);
}

TEST(MatrixCells, OneBadValueMarksItsBlock) {
  std::vector<float> values(16, 1.0f);
  values[0] = std::nanf("");
  values[15] = -std::numeric_limits<float>::infinity();
  const MatrixCells cells = average(values, 4, 4, 2, 2);
  EXPECT_TRUE(std::isnan(cells.means[0]));
  EXPECT_EQ(cells.means[1], 1);
  EXPECT_TRUE(std::isnan(cells.means[3]));
  EXPECT_EQ(cells.not_finite, 2u);
  EXPECT_EQ(cells.smallest, 1);
  EXPECT_EQ(cells.low, 1);
}

TEST(MatrixCells, HaveARangeEvenWithoutAFiniteValue) {
  const std::vector<float> values(4, std::nanf(""));
  const MatrixCells cells = average(values, 2, 2, 2, 2);
  EXPECT_EQ(cells.low, 0);
  EXPECT_EQ(cells.high, 1);
  EXPECT_EQ(cells.not_finite, 4u);
}

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
