#include "operators/symmetric_product.hpp"

#include <gtest/gtest.h>

#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

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
