// Products with Nyström features that are never held, against the plain table of them.
#include "operators/landmark_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/kernel_operator.hpp"
#include "operators/row_features.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

/// K_ZZ = LLᵀ and φ = L⁻¹k(Z, x) by the textbook.
struct Landmarked {
  std::shared_ptr<LandmarkForm> form;
  Points points;
  std::vector<double> phi;  // n × m

  Landmarked(std::size_t n, std::size_t m, const std::string& kernel)
      : points(as_points(random_rows(n, 3, n + 1))) {
    const Points Z = as_points(random_rows(m, 3, 99 + m));
    const Kernel k = Kernel::parse(kernel);
    std::vector<double> K(m * m), cross(n * m);
    KernelOperator<double>(k, Z).matrix(K);
    form = std::make_shared<LandmarkForm>(LandmarkForm{k, Z, Buffer<double>(m * m, 0.0)});
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = K[i * m + j];
        for (std::size_t l = 0; l < j; ++l) sum -= form->L[i * m + l] * form->L[j * m + l];
        form->L[i * m + j] = i == j ? std::sqrt(sum) : sum / form->L[j * m + j];
      }
    if (n > 0) KernelOperator<double>(k, points, Z).matrix(cross);
    phi.resize(n * m);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        double sum = cross[i * m + j];
        for (std::size_t l = 0; l < j; ++l) sum -= form->L[j * m + l] * phi[i * m + l];
        phi[i * m + j] = sum / form->L[j * m + j];
      }
  }
};

std::vector<double> normal_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

TEST(LandmarkFeatures, MultiplyAsTheTableDoes) {
  for (const std::size_t n : {0u, 1u, 300u, 8500u})
    for (const std::size_t m : {1u, 20u})
      for (const double constant : {0.0, 0.7})
        for (const std::size_t k : {1u, 3u}) {
          const Landmarked rows(n, m, "rbf(gamma=0.5)");
          const std::size_t p = m + (constant != 0);
          const std::vector<double> W = normal_numbers(p * k, 1), V = normal_numbers(n * k, 2),
                                    s = normal_numbers(n, 3);
          const auto entry = [&](std::size_t i, std::size_t j) {
            return j < m ? rows.phi[i * m + j] : j < p ? constant : V[i * k + j - p];
          };
          std::vector<double> bits;
          for (const int threads : {1, 2}) {
            const LandmarkFeatures features(rows.form, rows.points, constant, threads);
            std::vector<double> f(n * k), w(p * k), both(p * k);
            features.multiply(W, k, f);
            features.multiply_transposed(V, k, w);
            const auto task = [&](Range range, double* F) {
              for (std::size_t e = 0; e < range.size() * k; ++e) F[e] = V[range.begin * k + e] * (F[e] + 1);
            };
            features.pass(W, k, task, both);
            const Buffer<double> G = features.normal_matrix_with<double>(V, k, s, {});
            const Buffer<float> single = features.normal_matrix_with<float>(V, k, s, {});
            std::vector<double> expected(p * k, 0.0), expected_both(p * k, 0.0);
            for (std::size_t i = 0; i < n; ++i)
              for (std::size_t q = 0; q < k; ++q) {
                double sum = 0;
                for (std::size_t j = 0; j < p; ++j) sum += entry(i, j) * W[j * k + q];
                EXPECT_NEAR(f[i * k + q], sum, 1e-9 * (1 + std::abs(sum)));
                for (std::size_t j = 0; j < p; ++j) {
                  expected[j * k + q] += entry(i, j) * V[i * k + q];
                  expected_both[j * k + q] += entry(i, j) * V[i * k + q] * (sum + 1);
                }
              }
            for (std::size_t e = 0; e < p * k; ++e) {
              EXPECT_NEAR(w[e], expected[e], 1e-8 * (1 + std::abs(expected[e])));
              EXPECT_NEAR(both[e], expected_both[e], 1e-8 * (1 + std::abs(expected_both[e])));
            }
            for (std::size_t a = 0; a < p + k; ++a)
              for (std::size_t b = 0; b <= a; ++b) {
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += s[i] * s[i] * entry(i, a) * entry(i, b);
                EXPECT_NEAR(G[a * (p + k) + b], sum, 1e-8 * (1 + double(n)));
                EXPECT_NEAR(single[a * (p + k) + b], sum, 1e-4 * (1 + double(n)));
              }
            std::vector<double> all = f;
            for (const auto* more : {&w, &both}) all.insert(all.end(), more->begin(), more->end());
            all.insert(all.end(), G.begin(), G.end());
            all.insert(all.end(), single.begin(), single.end());
            if (bits.empty()) bits = all;
            EXPECT_EQ(all, bits);
          }
        }
}

TEST(LandmarkFeatures, TellTheRowThatIsNotFinite) {
  auto form = std::make_shared<LandmarkForm>(
      LandmarkForm{Kernel::parse("linear"), as_points({{1e200}}), Buffer<double>(1, 1e200)});
  const LandmarkFeatures features(form, as_points({{1.0}, {1e200}}), 0, 1);
  std::vector<double> out(2);
  try {
    features.multiply(std::vector<double>{1.0}, 1, out);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mercer
