#include "operators/product.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/blas.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
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

template <class T>
void expect_panel_products(std::size_t rows, std::size_t columns, std::size_t k) {
  const std::size_t stride = columns + 1;
  Random random(rows + 31 * columns + 7 * k);
  std::vector<T> A(rows * stride);
  for (T& a : A) a = T(random.normal());
  std::vector<double> x(columns * k), w(rows * k), y(rows * k, 0.5), z(columns * k, 0.25);
  for (double& v : x) v = random.normal();
  for (double& v : w) v = random.normal();
  std::vector<double> forward = y, backward = z, y_alone = y, z_alone = z;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t q = 0; q < k; ++q) {
        forward[i * k + q] += double(A[i * stride + j]) * x[j * k + q];
        backward[j * k + q] += double(A[i * stride + j]) * w[i * k + q];
      }
  add_panel_products(A.data(), stride, rows, columns, k, x.data(), y.data(), w.data(), z.data());
  add_panel_products<T>(A.data(), stride, rows, columns, k, x.data(), y_alone.data(), nullptr, nullptr);
  add_panel_products<T>(A.data(), stride, rows, columns, k, nullptr, nullptr, w.data(), z_alone.data());
  for (std::size_t e = 0; e < y.size(); ++e)
    ASSERT_NEAR(y[e], forward[e], 1e-10) << rows << ' ' << columns << ' ' << k;
  for (std::size_t e = 0; e < z.size(); ++e)
    ASSERT_NEAR(z[e], backward[e], 1e-10) << rows << ' ' << columns << ' ' << k;
  for (std::size_t e = 0; e < y.size(); ++e) ASSERT_NEAR(y_alone[e], forward[e], 1e-10);
  for (std::size_t e = 0; e < z.size(); ++e) ASSERT_NEAR(z_alone[e], backward[e], 1e-10);
}

TEST(PanelProduct, EqualsADoubleLoop) {
  for (const std::size_t rows : {0u, 1u, 70u})
    for (const std::size_t columns : {0u, 1u, 9u, 1030u})
      for (const std::size_t k : {0u, 1u, 4u, 20u}) {
        expect_panel_products<float>(rows, columns, k);
        expect_panel_products<double>(rows, columns, k);
      }
}

std::vector<double> normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

template <class T>
void expect_product(std::size_t n, std::size_t k, double tolerance) {
  const KernelOperator<T> K(rbf({.gamma = 0.3}), as_points(random_rows(n, 3, n + 1)), {.threads = 1});
  std::vector<T> all(n * n);
  K.matrix(all);
  const std::vector<double> V = normals(n * k, 5);
  std::vector<double> expected(n * k);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t q = 0; q < k; ++q) expected[i * k + q] += double(all[i * n + j]) * V[j * k + q];
  const Progress progress;
  const std::size_t whole = SymmetricProduct<T>::whole_bytes(n);
  for (const std::size_t memory : {std::size_t(0), whole / 2, whole}) {
    const SymmetricProduct<T> product(K, memory, 1, progress);
    EXPECT_LE(product.held_bytes(), memory);
    EXPECT_EQ(product.all_held(), memory >= whole) << n << ' ' << memory;
    const std::size_t before = product.evaluations();
    std::vector<double> out(n * k, 7.0);
    product.multiply(V, k, out);
    EXPECT_EQ(product.evaluations() == before, product.all_held() || k == 0);
    for (std::size_t e = 0; e < out.size(); ++e)
      ASSERT_NEAR(out[e], expected[e], tolerance) << n << ' ' << k << ' ' << e;
  }
}

TEST(SymmetricProduct, EqualsTheWholeMatrix) {
  for (const std::size_t n : {0u, 1u, 2u, 65u, 150u})
    for (const std::size_t k : {1u, 3u, 20u}) {
      expect_product<double>(n, k, 1e-11);
      expect_product<float>(n, k, 1e-11);
    }
}

TEST(SymmetricProduct, IsTheSameForAnyNumberOfThreads) {
  const KernelOperator<float> K(rbf({.gamma = 0.3}), as_points(random_rows(800, 3, 1)), {.threads = 1});
  const Progress progress;
  for (const std::size_t k : {1u, 3u}) {
    const std::vector<double> V = normals(800 * k, 5);
    std::vector<double> one(800 * k), two(800 * k);
    SymmetricProduct<float>(K, 1 << 20, 1, progress).multiply(V, k, one);
    SymmetricProduct<float>(K, 1 << 20, 2, progress).multiply(V, k, two);
    EXPECT_EQ(one, two);
  }
}

TEST(SymmetricProduct, CanBeStopped) {
  const KernelOperator<float> K(rbf({.gamma = 0.3}), as_points(random_rows(100, 3, 1)), {.threads = 1});
  const Progress progress([](std::string_view, double) { return false; }),
      later([](std::string_view, double) { return false; });
  EXPECT_THROW(SymmetricProduct<float>(K, 1 << 20, 1, progress), Error);
  const SymmetricProduct<float> nothing_held(K, 0, 1, later);
  std::vector<double> V(100), out(100);
  EXPECT_THROW(nothing_held.multiply(V, 1, out), Error);
}

}  // namespace
}  // namespace mercer
