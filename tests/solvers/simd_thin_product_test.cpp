// Products with 32 columns against plain loops in float64, on every instruction set.
#include "solvers/simd/thin_product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

template <class T>
void expect_products(const std::string& set, std::size_t m, std::size_t k, bool transposed) {
  Random random(m + 100 * k);
  const std::size_t rows = transposed ? k : m, columns = transposed ? m : k, stride = columns + 3;
  std::vector<T> A(rows * stride), B(k * thin_columns), out((m + 1) * thin_columns, T(0.5));
  for (T& value : A) value = T(random.normal());
  for (T& value : B) value = T(random.normal());
  const auto& products = thin_products<T>(set);
  (transposed ? products.add_transposed : products.add)(A.data(), stride, m, k, B.data(), out.data());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t c = 0; c < thin_columns; ++c) {
      double sum = 0.5, size = 0.5;
      for (std::size_t l = 0; l < k; ++l) {
        const double term =
            double(A[transposed ? l * stride + i : i * stride + l]) * double(B[l * thin_columns + c]);
        sum += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(out[i * thin_columns + c], sum,
                  std::numeric_limits<T>::epsilon() * (1 + std::sqrt(double(k))) * size)
          << set << ' ' << m << " × " << k << (transposed ? " transposed" : "") << ": " << i << ", " << c;
    }
  for (std::size_t e = m * thin_columns; e < out.size(); ++e)
    ASSERT_EQ(out[e], T(0.5)) << "wrote past the end";
}

TEST(SimdThinProduct, EqualsADoubleLoop) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t m : {0u, 1u, 5u, 6u, 7u, 13u, 40u})
      for (const std::size_t k : {0u, 1u, 2u, 127u, 128u, 129u, 300u})
        for (const bool transposed : {false, true}) {
          expect_products<float>(set, m, k, transposed);
          expect_products<double>(set, m, k, transposed);
        }
}

TEST(SimdThinProduct, DoesNotDependOnTheNumberOfRows) {
  Random random(1);
  const std::size_t m = 20, k = 150;
  std::vector<float> A(m * k), B(k * thin_columns), all(m * thin_columns, 0.F), alone(thin_columns);
  for (float& value : A) value = float(random.normal());
  for (float& value : B) value = float(random.normal());
  for (const std::string& set : instruction_sets()) {
    std::ranges::fill(all, 0.F);
    thin_products<float>(set).add(A.data(), k, m, k, B.data(), all.data());
    for (std::size_t i = 0; i < m; ++i) {
      std::ranges::fill(alone, 0.F);
      thin_products<float>(set).add(A.data() + i * k, k, 1, k, B.data(), alone.data());
      for (std::size_t c = 0; c < thin_columns; ++c) ASSERT_EQ(alone[c], all[i * thin_columns + c]) << set;
    }
  }
}

}  // namespace
}  // namespace mercer::simd
