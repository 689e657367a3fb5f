#include "operators/row_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

class Squares final : public DenseMap {
 public:
  std::size_t features() const noexcept override { return 3; }
  void apply(const Points& points, int, double* out) const override {
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const std::vector<double> x = points.row(i);
      *out++ = x[0], *out++ = x[1], *out++ = x[0] * x[1];
    }
  }
};

// Held or computed anew for each product, on one thread or two: the products of the plain table.
TEST(RowFeatures, MultiplyAsTheTableDoes) {
  for (const std::size_t n : {0u, 1u, 37u, 2500u})
    for (const bool constant : {false, true})
      for (const std::size_t k : {1u, 3u}) {
        const Points x = random_table(n, n + 1);
        const auto map = std::make_shared<Squares>();
        const std::size_t p = 3 + constant;
        Random random(k);
        std::vector<double> phi(n * p), W(p * k), V(n * k), s(n);
        for (std::size_t i = 0; i < n; ++i) {
          const std::vector<double> row = x.row(i);
          phi[i * p] = row[0], phi[i * p + 1] = row[1], phi[i * p + 2] = row[0] * row[1];
          if (constant) phi[i * p + 3] = 0.5;
        }
        for (auto* values : {&W, &V, &s})
          for (double& value : *values) value = random.normal();
        std::vector<double> bits;  // of the first way: all others have the same
        for (const std::size_t memory : {std::size_t(0), std::size_t(1) << 30})
          for (const int threads : {1, 2}) {
            RowFeatures features(map, x, threads, memory);
            EXPECT_EQ(features.held(), memory > 0 || n == 0);
            if (constant) features = features.with_constant(0.5);
            std::vector<double> f(n * k), w(p * k), all;
            features.multiply(W, k, f);
            features.multiply_transposed(V, k, w);
            const Buffer<double> G = features.normal_matrix(s), M = features.normal_matrix_with(V, k, s, {});
            const auto entry = [&](std::size_t i, std::size_t j) {
              return j < p ? phi[i * p + j] : V[i * k + j - p];
            };
            for (std::size_t e = 0; e < n * k; ++e) {
              double sum = 0;
              for (std::size_t j = 0; j < p; ++j) sum += phi[e / k * p + j] * W[j * k + e % k];
              EXPECT_NEAR(f[e], sum, 1e-12 * (1 + std::abs(sum)));
            }
            for (std::size_t e = 0; e < p * k; ++e) {
              double sum = 0;
              for (std::size_t i = 0; i < n; ++i) sum += phi[i * p + e / k] * V[i * k + e % k];
              EXPECT_NEAR(w[e], sum, 1e-10 * (1 + std::abs(sum)));
            }
            for (std::size_t a = 0; a < p + k; ++a)
              for (std::size_t b = 0; b <= a; ++b) {
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += s[i] * s[i] * entry(i, a) * entry(i, b);
                EXPECT_NEAR(M[a * (p + k) + b], sum, 1e-10 * (1 + std::abs(sum)));
                if (a < p) {
                  EXPECT_NEAR(G[a * p + b], sum, 1e-10 * (1 + std::abs(sum)));
                }
              }
            all.insert(all.end(), f.begin(), f.end());
            all.insert(all.end(), w.begin(), w.end());
            all.insert(all.end(), G.begin(), G.end());
            if (bits.empty()) bits = all;
            EXPECT_EQ(all, bits);
          }
      }
}

TEST(RowFeatures, SelectsRows) {
  const Points x = random_table(20, 4);
  const std::vector<std::size_t> chosen{3, 3, 17};
  for (const std::size_t memory : {std::size_t(0), std::size_t(1) << 20}) {
    const RowFeatures some = RowFeatures(std::make_shared<Squares>(), x, 1, memory).select(chosen);
    ASSERT_EQ(some.rows(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some.table().row(i)[1], x.row(chosen[i])[1]);
  }
}

TEST(RowFeatures, NameTheRowOfAFeatureThatIsNotFinite) {
  class Broken final : public DenseMap {
   public:
    std::size_t features() const noexcept override { return 1; }
    void apply(const Points& points, int, double* out) const override {
      for (std::size_t i = 0; i < points.rows(); ++i) out[i] = points.row(i)[0] > 1e300 ? INFINITY : 0;
    }
  };
  std::vector<std::vector<double>> rows(1500, std::vector<double>{1});
  rows[1300] = {1e301};
  const RowFeatures features(std::make_shared<Broken>(), Points(rows), 2, 0);
  std::vector<double> w(1);
  try {
    features.multiply_transposed(std::vector<double>(1500, 1.0), 1, w);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_finite);
    EXPECT_EQ(error.details().row, 1301u);
  }
}

}  // namespace
}  // namespace mercer
