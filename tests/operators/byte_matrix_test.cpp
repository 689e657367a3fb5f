// Both ways of making products of bytes against sums of 64 bits.
#include "operators/byte_matrix.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "operators/simd/byte_product.hpp"

namespace mercer {
namespace {

std::vector<ByteWay> ways() {
  std::vector<ByteWay> all{ByteWay::onednn};
  if (simd::byte_product()) all.push_back(ByteWay::panels);
  return all;
}

// Bytes up to 127: exact in oneDNN on any processor.
ByteMatrix random_bytes(std::size_t rows, std::size_t cols, ByteWay way, Random random) {
  ByteMatrix matrix(rows, cols, way);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < cols; ++k) matrix.row(i)[k] = std::uint8_t(random.below(128));
    matrix.lay_out(i);
  }
  return matrix;
}

void expect_products(const ByteMatrix& x, Range rows, const ByteMatrix& z, Range columns, std::size_t cols) {
  const ByteSums sums = x.times(rows, z, columns);
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < cols; ++k) sum += x.row(i)[k] * (std::int64_t(z.row(j)[k]) - 128);
      ASSERT_EQ(sums.row(i - rows.begin)[j - columns.begin], sum) << i << ' ' << j << ' ' << cols;
    }
}

TEST(ByteMatrix, MultipliesRangesOfRowsAndColumns) {
  for (const ByteWay way : ways())
    for (const std::size_t cols : {1, 3, 4, 65, 257})
      for (const std::size_t count : {1, 63, 64, 65, 200}) {
        const ByteMatrix x = random_bytes(9, cols, way, Random(1)),
                         z = random_bytes(count, cols, way, Random(2));
        expect_products(x, {0, 9}, z, {0, count}, cols);
        expect_products(x, {2, 8}, z, {count / 3, count}, cols);
        expect_products(x, {3, 4}, z, {count / 2, count / 2 + 1}, cols);
      }
}

TEST(ByteMatrix, GathersRowsOnBothSides) {
  for (const ByteWay way : ways()) {
    const ByteMatrix all = random_bytes(150, 21, way, Random(3));
    std::vector<std::size_t> chosen(100);
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (i * 37) % 150;
    const ByteMatrix some = all.gather(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      EXPECT_TRUE(std::equal(some.row(i), some.row(i) + 21, all.row(chosen[i])));
    expect_products(all, {5, 20}, some, {10, 90}, 21);
  }
}

TEST(ByteMatrix, TakesAWayThatIsExact) {
  for (const double numbers : {1e3, 1e9}) {
    EXPECT_NE(way_of_bytes(127, numbers), ByteWay::none);
    if (simd::byte_product()) {
      EXPECT_NE(way_of_bytes(255, numbers), ByteWay::none);
    }
  }
}

}  // namespace
}  // namespace mercer
