// ‖L⁻¹q‖² against plain forward substitution in float64, on every instruction set.
#include "solvers/simd/band_norms.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

template <class T>
void expect_norms(const std::string& set, std::size_t n, std::size_t width, double tolerance) {
  Random random(n + width);
  std::vector<double> L(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i > width ? i - width : 0; j < i; ++j)
      L[i * n + j] = double(T(random.normal() / double(width)));
    L[i * n + i] = random.uniform(0.5, 2);
  }
  std::vector<T> packed, q(n * norm_columns), scratch(norm_scratch(width), T(7));
  for (T& value : q) value = T(random.normal());
  for (std::size_t k = 0; k < n; k += norm_rows) {
    for (std::size_t left = width; left > 0; --left)
      for (std::size_t i = k; i < k + norm_rows; ++i)
        packed.push_back(T(left <= k && i <= k - left + width ? L[i * n + k - left] : 0));
    for (std::size_t i = k; i < k + norm_rows; ++i)
      for (std::size_t j = k; j < k + norm_rows; ++j)
        packed.push_back(T(i == j ? 1 / L[i * n + i] : j < i ? L[i * n + j] : 0));
  }
  ASSERT_EQ(packed.size(), n / norm_rows * packed_norm_rows(width));
  double sums[norm_columns];
  band_norms<T>(set).squared_norms(packed.data(), n, width, q.data(), scratch.data(), sums);
  for (std::size_t c = 0; c < norm_columns; ++c) {
    std::vector<double> z(n);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = double(q[i * norm_columns + c]);
      for (std::size_t j = 0; j < i; ++j) z[i] -= L[i * n + j] * z[j];
      z[i] /= L[i * n + i];
      squares += z[i] * z[i];
    }
    EXPECT_NEAR(sums[c], squares, tolerance * squares) << set << ", " << n << " rows, column " << c;
  }
}

TEST(BandNorms, AreThoseOfForwardSubstitution) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t n : {4u, 32u, 36u, 256u, 260u, 600u})
      for (const std::size_t width : {8u, 32u}) {
        expect_norms<float>(set, n, width, 1e-5);
        expect_norms<double>(set, n, width, 1e-13);
      }
}

}  // namespace
}  // namespace mercer::simd
