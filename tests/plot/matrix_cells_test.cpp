#include "plot/matrix_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
