// Systems over features by passes, against elimination.
#include "solvers/feature_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "elimination.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/landmark_map.hpp"

namespace mercer {
namespace {

RowFeatures landmarked(const Points& points, std::size_t m, int threads = 1) {
  const LandmarkMap map = make_landmark_map({MapName::Kind::nystrom, m}, Kernel::parse("rbf(gamma=0.4)"),
                                            points, {.threads = threads});
  return {map.map, points, threads, 0};
}

struct Rows {
  std::size_t n, outputs;
  Points points;
  std::vector<double> s, u;

  Rows(std::size_t rows, std::size_t k, std::uint64_t seed)
      : n(rows), outputs(k), points(as_points(random_rows(rows, 3, seed))) {
    Random random(seed);
    for (std::size_t i = 0; i < n; ++i) {
      double length = 0;
      for (std::size_t o = 0; o < outputs; ++o) {
        s.push_back(0.1 + random.uniform());
        u.push_back(random.normal());
        length += u.back() * u.back();
      }
      for (std::size_t o = 0; o < outputs; ++o) u[i * outputs + o] /= std::sqrt(length);
    }
  }
};

/// Σᵢ φᵢφᵢᵀ ⊗ Wᵢ − ω φ̄φ̄ᵀ + cI over (feature, output).
std::vector<double> matrix_of(const RowFeatures& features, const Rows& rows, double c,
                              const FeatureSystem::Centre& centre) {
  const std::size_t p = features.features(), k = rows.outputs, size = p * k;
  const Points table = features.table();
  std::vector<double> A(size * size, 0.0), phi(p);
  for (std::size_t i = 0; i < rows.n; ++i) {
    table.copy_row(i, phi);
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b) {
        const std::size_t o = a % k, q = b % k;
        const double u = k > 1 ? rows.u[i * k + o] * rows.u[i * k + q] : 0;
        A[a * size + b] += phi[a / k] * phi[b / k] * rows.s[i * k + o] * rows.s[i * k + q] * ((o == q) - u);
      }
  }
  for (std::size_t a = 0; a < size; ++a) {
    A[a * size + a] += c;
    for (std::size_t b = 0; b < size && centre.weight > 0; ++b)
      A[a * size + b] -= centre.weight * centre.mean[a] * centre.mean[b];
  }
  return A;
}

TEST(FeatureSystem, SolvesAsEliminationDoes) {
  for (const std::size_t n : {1u, 50u, 2500u})
    for (const std::size_t outputs : {1u, 3u})
      for (const double c : {1e-7, 1e-3, 1.0}) {
        if (c < 1e-6 && n < 2500) continue;  // of many rows: so little that the factor is float64
        const Rows rows(n, outputs, n + outputs);
        const RowFeatures features = landmarked(rows.points, 12);
        const std::size_t p = features.features(), k = outputs == 1 ? 2 : outputs;
        FeatureSystem::Centre centre;
        if (outputs == 1) {  // what a free constant takes away
          centre.mean.assign(p, 0.0);
          for (const double s : rows.s) centre.weight += s * s;
          std::vector<double> v;
          for (const double s : rows.s) v.push_back(s * s / centre.weight);
          features.multiply_transposed(v, 1, centre.mean);
        }
        const std::vector<double> A = matrix_of(features, rows, c, centre);
        Random random(7);
        std::vector<double> R(p * k), X(p * k);
        for (double& r : R) r = random.normal();
        FeatureSystem system(features, {.threads = 2});
        system.prepare(
            {rows.s, outputs > 1 ? std::span<const double>(rows.u) : std::span<const double>(), outputs}, c,
            centre, {});
        const auto found = system.solve(R, k, 1e-10, X, {});
        EXPECT_TRUE(found.converged);
        const std::vector<double> expected = ::mercer::testing::eliminate(A, R, outputs == 1 ? k : 1);
        double largest = 0;
        for (const double x : expected) largest = std::max(largest, std::abs(x));
        for (std::size_t e = 0; e < X.size(); ++e) EXPECT_NEAR(X[e], expected[e], 1e-6 * largest);
        for (std::size_t e = 0; e < X.size(); ++e)
          EXPECT_NEAR(found.HX[e], R[e] - c * X[e], 1e-8 * (1 + largest));
        // From the solution there is nothing left to do.
        EXPECT_EQ(system.solve(R, k, 1e-8, X, {}, true).iterations, 0u);
      }
}

TEST(FeatureSystem, GivesTheSameBitsForAnyNumberOfThreads) {
  const Rows rows(9000, 1, 3);
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    const RowFeatures features = landmarked(rows.points, 20, threads);
    FeatureSystem system(features, {.threads = threads});
    system.prepare({rows.s}, 0.1, {}, {});
    std::vector<double> R(features.features(), 1.0), X(R.size());
    EXPECT_TRUE(system.solve(R, 1, 1e-9, X, {}).converged);
    if (first.empty()) first = X;
    EXPECT_EQ(X, first);
  }
}

TEST(FeatureSystem, EndsWhereItIsTold) {
  const Rows rows(3000, 1, 4);
  const RowFeatures features = landmarked(rows.points, 40);
  FeatureSystem system(features, {});
  system.prepare({rows.s}, 1e-6, {}, {});
  std::vector<double> R(features.features(), 1.0), X(R.size());
  const auto found = system.solve(R, 1, 1e-12, X, [](std::string_view, double) { return false; });
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 1u);
  EXPECT_GT(found.residual, 0);
}

}  // namespace
}  // namespace mercer
