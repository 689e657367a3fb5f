// Tiles made in registers against double loops, for every instruction set and around every edge of the
// blocks.
#include "operators/simd/gaussian_tile.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"
#include "mercer/buffer.hpp"

namespace mercer::simd {
namespace {

template <class T>
struct TileCase {
  std::size_t m, n, d;
  bool direct;
  std::vector<T> x = std::vector<T>(m * d), z = std::vector<T>(n * d), x_norms = std::vector<T>(m),
                 z_norms = std::vector<T>(n);

  TileCase(std::size_t rows, std::size_t columns, std::size_t depth, bool by_differences)
      : m(rows), n(columns), d(depth), direct(by_differences) {
    Random random(m * 10000 + n * 100 + d);
    for (T& value : x) value = T(random.normal());
    for (T& value : z) value = T(random.normal());
    if (n > 1)  // one column is a row, and one is so close to it that ‖x‖² + ‖z‖² − 2xᵀz would cancel
      for (std::size_t k = 0; k < d && m > 0; ++k)
        z[(n - 1) * d + k] = x[k], z[(n / 2 - (n == 2)) * d + k] = x[k] + T(1e-3);
    const auto norms = [&](const std::vector<T>& points, std::vector<T>& out) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < d; ++k) sum += double(points[i * d + k]) * double(points[i * d + k]);
        out[i] = T(sum);
      }
    };
    norms(x, x_norms);
    norms(z, z_norms);
  }
  GaussianTile<T> tile(double p, double q) const {
    return {.rows = m,
            .columns = n,
            .d = d,
            .x = x.data(),
            .z = z.data(),
            .row_norms = x_norms.data(),
            .column_norms = z_norms.data(),
            .direct = direct,
            .p = T(p),
            .q = T(q)};
  }
  double exponent(std::size_t i, std::size_t j, double p, double q) const {
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) {
      const double difference = double(x[i * d + k]) - double(z[j * d + k]);
      sum += difference * difference;
    }
    return p * sum + q;
  }
};

template <class T>
void expect_tile(const std::string& set, const TileCase<T>& c, double p, double q) {
  const std::size_t stride = c.n + 3;
  std::vector<T> out(c.m * stride, T(-7));
  std::vector<T*> rows;
  for (std::size_t i = 0; i < c.m; ++i) rows.push_back(out.data() + i * stride);
  gaussian_tiles<T>(set).fill(c.tile(p, q), rows.data());
  const auto& tiles = gaussian_tiles<T>(set);
  const std::size_t width = tiles.panel_columns();
  Buffer<T> panels((c.n + width - 1) / width * width * c.d);
  tiles.turn(c.z.data(), c.n, c.d, panels.data());
  GaussianTile<T> laid_out = c.tile(p, q);
  laid_out.panels = panels.data();
  std::vector<T> again(out.size(), T(-7));
  std::vector<T*> again_rows;
  for (std::size_t i = 0; i < c.m; ++i) again_rows.push_back(again.data() + i * stride);
  tiles.fill(laid_out, again_rows.data());
  ASSERT_EQ(out, again);
  Random random(3);
  std::vector<double> t(c.m), sums(c.n), expected_sums(c.n), start(c.n);
  for (double& value : t) value = random.normal();
  for (std::size_t j = 0; j < c.n; ++j) sums[j] = start[j] = expected_sums[j] = random.normal();
  gaussian_tiles<T>(set).add(c.tile(p, q), t.data(), sums.data());
  // Sixty-four times the rounding of the distance: where more cancels, it is summed anew.
  const double rounding = std::numeric_limits<T>::epsilon() * double(c.d + 8) * (c.direct ? 1 : 64);
  const std::string what = set + ' ' + std::to_string(c.m) + " × " + std::to_string(c.n) + " × " +
                           std::to_string(c.d) + (c.direct ? " direct" : "");
  for (std::size_t i = 0; i < c.m; ++i) {
    for (std::size_t j = 0; j < c.n; ++j) {
      const double exponent = c.exponent(i, j, p, q), expected = std::exp(exponent);
      const double error = rounding * (std::abs(exponent - q) + std::abs(q) + 1) * expected;
      ASSERT_NEAR(out[i * stride + j], expected, error + std::numeric_limits<T>::min() * 4) << what;
      expected_sums[j] += t[i] * double(out[i * stride + j]);
    }
    for (std::size_t e = c.n; e < stride; ++e) ASSERT_EQ(out[i * stride + e], T(-7)) << "wrote past the row";
  }
  // The same values as those of the tile, added up: six at a time in T.
  const double summing = sizeof(T) == 4 ? 1e-5 : 1e-13;
  for (std::size_t j = 0; j < c.n; ++j)
    ASSERT_NEAR(sums[j], expected_sums[j], summing * double(c.m + 1)) << what;
  // Both ways at once, beside what was there before.
  std::vector<double> s(c.n), columns = start, row_sums(c.m, 0.5);
  for (double& value : s) value = random.normal();
  gaussian_tiles<T>(set).add_both(c.tile(p, q), t.data(), columns.data(), s.data(), row_sums.data());
  ASSERT_EQ(columns, sums) << what;
  for (std::size_t i = 0; i < c.m; ++i) {
    double expected = 0.5;
    for (std::size_t j = 0; j < c.n; ++j) expected += s[j] * double(out[i * stride + j]);
    ASSERT_NEAR(row_sums[i], expected, 1e-13 * double(c.n + 1)) << what;
  }
}

/// Several sums over the rows, beside what was there before, against those of the tile's values.
template <class T>
void expect_several_sums(const std::string& set, const GaussianTile<T>& tile, std::size_t width) {
  const std::size_t m = tile.rows, n = tile.columns, stride = n + 3;
  std::vector<T> values(m * n), V(m * width);
  std::vector<T*> rows;
  for (std::size_t i = 0; i < m; ++i) rows.push_back(values.data() + i * n);
  gaussian_tiles<T>(set).fill(tile, rows.data());
  Random random(m + n + width);
  for (T& value : V) value = T(random.normal());
  std::vector<double> sums(width * stride, 0.25);
  gaussian_tiles<T>(set).add_several(tile, V.data(), width, sums.data(), stride);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t j = 0; j < n; ++j) {
      double expected = 0.25, size = 0;
      for (std::size_t i = 0; i < m; ++i) {
        const double term = double(V[i * width + c]) * double(values[i * n + j]);
        expected += term;
        size += std::abs(term);
      }
      // Thirty-six rows at a time are added in T.
      ASSERT_NEAR(sums[c * stride + j], expected, 36 * std::numeric_limits<T>::epsilon() * size + 1e-15)
          << set << ' ' << m << " × " << n << ", sum " << c << " of " << width;
    }
    for (std::size_t e = n; e < stride; ++e) ASSERT_EQ(sums[c * stride + e], 0.25) << "wrote past the sums";
  }
}

TEST(SimdGaussianTile, AddsSeveralSumsAtOnce) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t m : {0u, 1u, 5u, 6u, 35u, 36u, 37u, 101u})
      for (const std::size_t n : {0u, 1u, 15u, 32u, 33u, 70u})
        for (const std::size_t width : {0u, 1u, 2u, 5u}) {
          for (const bool direct : {false, true}) {
            expect_several_sums(set, TileCase<float>(m, n, 3, direct).tile(-0.3, 0), width);
            expect_several_sums(set, TileCase<double>(m, n, 13, direct).tile(-0.3, 1.5), width);
          }
          Random random(m + n);
          std::vector<std::uint32_t> x(m * 2 + 1), z(n * 2 + 1);  // null would mean no bits
          for (auto& word : x) word = std::uint32_t(random.bits());
          for (auto& word : z) word = std::uint32_t(random.bits());
          expect_several_sums(
              set,
              GaussianTile<float>{
                  .rows = m, .columns = n, .p = -0.07F, .words = 2, .x_bits = x.data(), .z_bits = z.data()},
              width);
        }
}

TEST(SimdGaussianTile, EqualsADoubleLoop) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t m : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 13u})
      for (const std::size_t n : {0u, 1u, 2u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 33u, 70u})
        for (const std::size_t d : {0u, 1u, 2u, 13u, 64u})
          for (const bool direct : {false, true}) {
            expect_tile(set, TileCase<float>(m, n, d, direct), -0.3, 0);
            expect_tile(set, TileCase<double>(m, n, d, direct), -0.3, 1.5);
          }
}

TEST(SimdGaussianTile, IsOneForEqualPointsAndZeroForFarOnes) {
  for (const std::string& set : instruction_sets()) {
    TileCase<float> c(7, 33, 5, false);
    std::vector<float> out(7 * 33);
    std::vector<float*> rows;
    for (std::size_t i = 0; i < 7; ++i) rows.push_back(out.data() + i * 33);
    gaussian_tiles<float>(set).fill(c.tile(-2, 0), rows.data());
    EXPECT_EQ(rows[0][32], 1.0F) << set;  // that column is the first row
    for (const double p : {-200.0, -1e9, -1e30, -1e38}) {
      gaussian_tiles<float>(set).fill(c.tile(p, 0), rows.data());
      EXPECT_EQ(rows[0][32], 1.0F) << set;
      EXPECT_EQ(rows[1][0], 0.0F) << set << ' ' << p;
    }
  }
}

TEST(SimdGaussianTile, DoesNotDependOnTheTileNorOnTheOrderOfTheTwo) {
  for (const std::string& set : instruction_sets()) {
    const TileCase<float> c(13, 70, 21, false);
    std::vector<float> out(13 * 70);
    std::vector<float*> rows;
    for (std::size_t i = 0; i < 13; ++i) rows.push_back(out.data() + i * 70);
    gaussian_tiles<float>(set).fill(c.tile(-0.1, 0), rows.data());
    for (std::size_t i = 0; i < 13; ++i)
      for (std::size_t j = 0; j < 70; ++j) {
        float alone = 0, turned = 0;
        float *to = &alone, *to_turned = &turned;
        GaussianTile<float> one = c.tile(-0.1, 0);
        one.rows = one.columns = 1;
        one.x += i * c.d, one.row_norms += i, one.z += j * c.d, one.column_norms += j;
        gaussian_tiles<float>(set).fill(one, &to);
        std::swap(one.x, one.z);
        std::swap(one.row_norms, one.column_norms);
        gaussian_tiles<float>(set).fill(one, &to_turned);
        ASSERT_EQ(rows[i][j], alone) << set;
        ASSERT_EQ(alone, turned) << set;
      }
  }
}

TEST(SimdGaussianTile, CountsBitsThatDiffer) {
  for (const std::string& set : instruction_sets())
    for (const std::size_t words : {1u, 2u, 5u})
      for (const std::size_t m : {1u, 6u, 8u})
        for (const std::size_t n : {1u, 16u, 33u, 65u}) {
          Random random(words + m + n);
          std::vector<std::uint32_t> x(m * words), z(n * words);
          for (auto& word : x) word = std::uint32_t(random.bits());
          for (auto& word : z) word = std::uint32_t(random.bits());
          const auto check = [&]<class T>(T tolerance) {
            std::vector<T> values(m * n), counts(m * n);
            std::vector<T*> rows, count_rows;
            for (std::size_t i = 0; i < m; ++i)
              rows.push_back(values.data() + i * n), count_rows.push_back(counts.data() + i * n);
            const GaussianTile<T> tile{.rows = m,
                                       .columns = n,
                                       .p = T(-0.07),
                                       .words = words,
                                       .x_bits = x.data(),
                                       .z_bits = z.data()};
            gaussian_tiles<T>(set).fill(tile, rows.data());
            gaussian_tiles<T>(set).count(tile, count_rows.data());
            std::vector<double> sums(n, 0.5), t(m, -2);
            gaussian_tiles<T>(set).add(tile, t.data(), sums.data());
            for (std::size_t j = 0; j < n; ++j) {
              double sum = 0.5;
              for (std::size_t i = 0; i < m; ++i) {
                int differing = 0;
                for (std::size_t w = 0; w < words; ++w)
                  differing += std::popcount(x[i * words + w] ^ z[j * words + w]);
                ASSERT_EQ(count_rows[i][j], T(differing)) << set;
                ASSERT_NEAR(rows[i][j], std::exp(double(T(-0.07)) * differing), tolerance) << set;
                sum -= 2 * double(rows[i][j]);
              }
              ASSERT_NEAR(sums[j], sum, 10 * double(tolerance) * double(m))
                  << set;  // six at a time are added in T
            }
          };
          check(1e-6F);
          check(1e-15);
        }
}

}  // namespace
}  // namespace mercer::simd
