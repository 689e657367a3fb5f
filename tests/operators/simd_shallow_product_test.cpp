// Products of points with few coordinates against sums in the promised order, for every instruction set and
// around every edge of the blocks.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "operators/simd/shallow_product.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

template <class T>
void expect_shallow_product(const std::string& set, std::size_t m, std::size_t n, std::size_t d) {
  const std::size_t stride = n + 2;
  Random random(m * 10000 + n * 100 + d);
  std::vector<T> a(m * d), b(n * d), out(m * stride, T(-7));
  for (T& value : a) value = T(random.normal());
  for (T& value : b) value = T(random.normal());
  shallow_product<T>(set)(m, n, d, a.data(), b.data(), out.data(), stride);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double expected = 0, size = 0;
      for (std::size_t k = 0; k < d; ++k) {
        expected += double(a[i * d + k]) * double(b[j * d + k]);
        size += std::abs(double(a[i * d + k]) * double(b[j * d + k]));
      }
      const double rounding = sizeof(T) == 4 ? 6e-8 : 1.2e-16;
      ASSERT_NEAR(out[i * stride + j], expected, rounding * double(d + 1) * size)
          << set << ' ' << m << " × " << n << " × " << d;
    }
    ASSERT_EQ(out[i * stride + n], T(-7)) << "wrote past the row";
  }
  T alone = 0;  // an entry by itself has the same bits
  if (m == 0 || n == 0) return;
  shallow_product<T>(set)(1, 1, d, a.data() + (m - 1) * d, b.data() + (n - 1) * d, &alone, 1);
  ASSERT_EQ(alone, out[(m - 1) * stride + n - 1]) << set << ' ' << m << " × " << n << " × " << d;
}

TEST(SimdShallowProduct, EqualsADoubleLoopAndAnEntryByItself) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t m : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 13u, 30u})
      for (const std::size_t n : {0u, 1u, 3u, 4u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 33u, 70u})
        for (const std::size_t d : {0u, 1u, 2u, 13u, 64u}) {
          expect_shallow_product<float>(set, m, n, d);
          expect_shallow_product<double>(set, m, n, d);
        }
}

}  // namespace
}  // namespace mercer::simd
