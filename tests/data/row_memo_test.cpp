#include "data/row_memo.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

RowMemo::Image numbered(std::size_t rows, std::size_t cols) {
  Dense<double> image{rows, cols, Buffer<double>(rows * cols)};
  for (std::size_t e = 0; e < image.values.size(); ++e) image.values[e] = double(e);
  return std::make_shared<const Dense<double>>(std::move(image));
}

Points three_rows() { return Points(std::vector<std::vector<double>>{{1, 0}, {0, 2}, {3, 3}}); }

TEST(RowMemo, IsSharedByCopiesAndOtherStorageOfTheSameNumbers) {
  const Points points = three_rows(), copy = points;
  points.memo().keep("phi", numbered(3, 2));
  EXPECT_EQ(copy.memo().find("phi"), points.memo().find("phi"));
  EXPECT_NE(points.to_sparse().memo().find("phi"), nullptr);
  EXPECT_NE(points.with_precision(Precision::float32).memo().find("phi"), nullptr);
  EXPECT_EQ(points.memo().find("psi"), nullptr);
}

TEST(RowMemo, ChosenRowsTakeTheirPart) {
  const Points points = three_rows();
  points.memo().keep("phi", numbered(3, 2));
  const std::vector<std::size_t> rows{2, 0, 2};
  const auto part = points.select_rows(rows).memo().find("phi");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(std::vector(part->values.begin(), part->values.end()), (std::vector<double>{4, 5, 0, 1, 4, 5}));
}

TEST(RowMemo, OtherNumbersHaveNone) {
  const Points points = three_rows();
  points.memo().keep("phi", numbered(3, 2));
  const std::vector<std::size_t> columns{1};
  EXPECT_EQ(points.select_columns(columns).memo().find("phi"), nullptr);
  EXPECT_EQ(points.with_numbers(Dense<double>{3, 2, Buffer<double>(6, 1.0)}).memo().find("phi"), nullptr);
}

TEST(RowMemo, KeepsNoMoreThanItMay) {
  const RowMemo memo;
  memo.keep("large", numbered(1 << 13, 1 << 13));  // 512 MB
  memo.keep("one more", numbered(1, 1));
  EXPECT_NE(memo.find("large"), nullptr);
  EXPECT_EQ(memo.find("one more"), nullptr);
}

}  // namespace
}  // namespace mercer
