// Products of tiles with vectors against double loops, for every instruction set.
#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"
#include "operators/simd/tile_product.hpp"

namespace mercer::simd {
namespace {

template <class T>
void expect_products(const std::string& set, std::size_t rows, std::size_t columns) {
  const std::size_t stride = columns + 3;
  Random random(rows * 100 + columns);
  std::vector<T> A(rows * stride);
  std::vector<double> x(columns), w(rows), y(rows, 0.5), z(columns, 0.25);
  for (T& a : A) a = T(random.normal());
  for (double& v : x) v = random.normal();
  for (double& v : w) v = random.normal();
  std::vector<double> forward = y, backward = z;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      forward[i] += double(A[i * stride + j]) * x[j];
      backward[j] += double(A[i * stride + j]) * w[i];
    }
  std::vector<double> y_alone = y, z_alone = z;
  const TileProducts<T>& products = tile_products<T>(set);
  products.both(A.data(), stride, rows, columns, x.data(), y.data(), w.data(), z.data());
  products.plain(A.data(), stride, rows, columns, x.data(), y_alone.data());
  products.transposed(A.data(), stride, rows, columns, w.data(), z_alone.data());
  for (std::size_t i = 0; i < rows; ++i)
    ASSERT_NEAR(y[i], forward[i], 1e-13 * double(columns + 10)) << set << ' ' << rows;
  for (std::size_t j = 0; j < columns; ++j)
    ASSERT_NEAR(z[j], backward[j], 1e-13 * double(rows + 10)) << set << ' ' << columns;
  EXPECT_EQ(y, y_alone);
  EXPECT_EQ(z, z_alone);
}

TEST(SimdTileProduct, EqualsADoubleLoop) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t rows : {0u, 1u, 3u, 4u, 7u, 33u})
      for (const std::size_t columns : {0u, 1u, 2u, 7u, 8u, 16u, 61u}) {
        expect_products<float>(set, rows, columns);
        expect_products<double>(set, rows, columns);
      }
}

}  // namespace
}  // namespace mercer::simd
