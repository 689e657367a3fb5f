#include "operators/feature_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

void expect_feature_products(std::size_t n, std::size_t p, std::size_t k) {
  Random random(n + p);
  std::vector<double> columns(p * n);
  for (double& value : columns) value = random.normal();
  const auto phi = [&](std::size_t i, std::size_t j) { return columns[j * n + i]; };
  std::vector<double> W(p * k), V(n * k), s(n), bits;
  for (auto* values : {&W, &V, &s})
    for (double& value : *values) value = random.normal();
  for (const int threads : {1, 2}) {
    const ColumnFeatures features(columns.data(), p, n, threads, {});
    std::vector<double> f(n * k), w(p * k);
    features.multiply(W, k, f);
    features.multiply_transposed(V, k, w);
    for (std::size_t e = 0; e < n * k; ++e) {
      double sum = 0;
      for (std::size_t j = 0; j < p; ++j) sum += phi(e / k, j) * W[j * k + e % k];
      ASSERT_NEAR(f[e], sum, 1e-11 * (1 + std::abs(sum)));
    }
    for (std::size_t e = 0; e < p * k; ++e) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += phi(i, e / k) * V[i * k + e % k];
      ASSERT_NEAR(w[e], sum, 1e-10 * (1 + std::abs(sum)));
    }
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < p; ++j) trace += std::pow(s[i] * phi(i, j), 2);
    for (const bool rough : {false, true}) {
      const Buffer<double> G = features.normal_matrix(s, rough);
      for (std::size_t a = 0; a < p; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) sum += s[i] * s[i] * phi(i, a) * phi(i, b);
          ASSERT_NEAR(G[a * p + b], sum, (rough ? 1e-6 : 1e-12) * (1 + trace));
        }
    }
    if (p > 0) {
      EXPECT_TRUE(features.rough_suffices(s, trace));
      EXPECT_FALSE(features.rough_suffices(s, 1e-9 * trace));
      std::vector<double> beyond = s;  // float32
      for (double& value : beyond) value *= 1e20;
      EXPECT_FALSE(features.rough_suffices(beyond, 1e50));
    }
    f.insert(f.end(), w.begin(), w.end());
    if (bits.empty()) bits = f;
    EXPECT_EQ(f, bits);
  }
}

TEST(ColumnFeatures, MultiplyAsTheMatrixDoes) {
  for (const std::size_t n : {1u, 2u, 51u, 5000u})
    for (const std::size_t p : {1u, 20u})
      for (const std::size_t k : {1u, 3u}) expect_feature_products(n, p, k);
  expect_feature_products(300, 200, 2);  // several tiles of the small matrix
}

}  // namespace
}  // namespace mercer
