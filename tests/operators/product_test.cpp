#include "operators/product.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/blas.hpp"
#include "operators/entries.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> out(count);
  for (T& value : out) value = T(random.normal());
  return out;
}

template <class T>
void expect_products_to_keep_bits() {
  const SingleThreadedBlas one_thread;
  const std::size_t N = 416;
  std::vector<std::size_t> sizes{1,  2,  3,  5,  7,  8,   11,  12,  13,  16,  24,  30,  34,  35,
                                 39, 40, 41, 63, 64, 100, 129, 192, 193, 199, 200, 250, 257, 300};
  for (const std::size_t d : {1, 5, 31, 32, 64, 65, 385, 784}) {
    const bool keeps = d <= shallow_depth || products_keep_bits();
    const auto a = numbers<T>(N * d, d);
    std::vector<T> whole(N * N), part;
    dense_products<T>(N, N, d, a.data(), a.data(), whole.data(), N);
    for (std::size_t i = 0; i < N; i += 23)
      for (std::size_t j = 0; j < N; ++j) {
        const double expected = std::inner_product(&a[i * d], &a[i * d] + d, &a[j * d], 0.0);
        ASSERT_NEAR(whole[i * N + j], expected, (sizeof(T) == 4 ? 2e-6 : 1e-14) * double(d)) << d;
        ASSERT_TRUE(same_entry(whole[i * N + j], whole[j * N + i], keeps)) << d;
      }
    for (const std::size_t m : sizes)
      for (const std::size_t n : sizes) {
        if (m * n > (d > 100 ? 8000u : 40000u)) continue;
        const std::size_t stride = n + 3, first = 7, second = 40;
        part.assign(m * stride, T(-5));
        dense_products<T>(m, n, d, &a[first * d], &a[second * d], part.data(), stride);
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j)
            if (!same_entry(part[i * stride + j], whole[(first + i) * N + second + j], keeps))
              FAIL() << m << "×" << n << "×" << d << " at " << i << ", " << j;
          for (std::size_t j = n; j < stride; ++j)
            ASSERT_EQ(part[i * stride + j], T(-5)) << "wrote past the row";
        }
      }
  }
}

TEST(DenseProducts, KeepAnEntrysBitsInEveryShapeFloat32) { expect_products_to_keep_bits<float>(); }
TEST(DenseProducts, KeepAnEntrysBitsInEveryShapeFloat64) { expect_products_to_keep_bits<double>(); }

TEST(DenseProducts, OfNothingAreZeroOrNothing) {
  std::vector<float> out(6, 9);
  dense_products<float>(2, 3, 0, nullptr, nullptr, out.data(), 3);
  EXPECT_EQ(out, std::vector<float>(6, 0));
  dense_products<float>(0, 3, 4, nullptr, nullptr, nullptr, 3);
  dense_products<float>(3, 0, 4, nullptr, nullptr, nullptr, 0);
}

}  // namespace
}  // namespace mercer
