#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/picture.hpp"
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

}  // namespace
}  // namespace mercer
