#include "solvers/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

FeatureError error_of(const Kernel& k, const Points& x, std::size_t count, std::uint64_t seed,
                      bool orthogonal = true) {
  const auto map = fourier_map(draw_frequencies(k.node().spectrum(), x.cols(), count, seed, orthogonal));
  return feature_error(features_of(*map, x), k, x);
}

// Mean over seeds of the root mean square.
double mean_error(const Kernel& k, const Points& x, std::size_t count, bool orthogonal = true) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    sum += error_of(k, x, count, seed, orthogonal).root_mean_square / 4;
  return sum;
}

TEST(Fourier, ApproachesEveryKernelWithAKnownSpectrumAsOneOverTheRoot) {
  const Points x = as_points(random_rows(12, 4, 3));
  for (const char* text :
       {"rbf(gamma=0.2)", "rbf(sigma=2)", "laplace(lambda=0.5)", "manhattan(lambda=0.3)",
        "matern(nu=0.5, length=2)", "matern(nu=1.5, length=2)", "matern(nu=2.5, length=2)",
        "rational_quadratic(alpha=0.7, length=1.5)", "rational_quadratic(alpha=3, length=1.5)",
        "2*rbf(gamma=0.1)", "rbf(gamma=0.1) + 0.5*laplace(lambda=0.2) + 1",
        "rbf(gamma=0.1)*manhattan(lambda=0.1)", "matern(nu=1.5, length=3)^2",
        "(rbf(gamma=0.1) + 1)*(1 + laplace(lambda=0.3))",
        "scaled(matern(nu=2.5, length=2), by=[1, 0, 2, -1])"}) {
    const Kernel k = Kernel::parse(text);
    const double size = *k.properties().diagonal;
    const double few = mean_error(k, x, 64), many = mean_error(k, x, 1024);
    EXPECT_LT(few, 1.2 * size / std::sqrt(64)) << text;
    EXPECT_LT(many, 1.2 * size / std::sqrt(1024)) << text;
    EXPECT_LT(many, few / 2.5) << text;  // 4 in the mean
  }
}

TEST(Fourier, IsBetterWithOrthogonalFrequencies) {
  const Points x = as_points(random_rows(20, 16, 4));
  for (const char* text : {"rbf(gamma=0.02)", "matern(nu=2.5, length=5)"}) {
    const Kernel k = Kernel::parse(text);
    EXPECT_LT(mean_error(k, x, 64), 0.8 * mean_error(k, x, 64, false)) << text;
  }
}

TEST(Fourier, HasTheDiagonalExactly) {
  const Points x = as_points(random_rows(3, 5, 1));
  const auto map = fourier_map(draw_frequencies(laplace({.lambda = 1.0}).node().spectrum(), 5, 7, 1));
  const auto phi = features_of(*map, x);
  ASSERT_EQ(map->features(), 14u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(std::inner_product(&phi[i * 14], &phi[i * 14] + 14, &phi[i * 14], 0.0), 1, 1e-14);
}

TEST(Fourier, IsTheSameForEveryStorageAndThreadCount) {
  const auto rows = random_rows(300, 6, 2);
  const auto map = fourier_map(draw_frequencies(rbf({.gamma = 0.2}).node().spectrum(), 6, 33, 1));
  const auto dense = features_of(*map, as_points(rows), 1);
  EXPECT_TRUE(same_bits(dense, features_of(*map, as_points(rows), 3)));
  for (const Kind kind : {Kind::dense32, Kind::sparse64, Kind::sparse32}) {
    const auto other = features_of(*map, as_points(rows, kind), 2);
    for (std::size_t e = 0; e < dense.size(); ++e) ASSERT_NEAR(other[e], dense[e], 1e-14);
  }
}

TEST(Fourier, OfPointsWithoutColumnsIsConstant) {
  const auto map = fourier_map(draw_frequencies(rbf({.gamma = 0.2}).node().spectrum(), 0, 2, 1));
  const auto phi = features_of(*map, Points(Dense<double>{2, 0, {}}));
  EXPECT_EQ(
      phi, (std::vector<double>{std::sqrt(0.5), std::sqrt(0.5), 0, 0, std::sqrt(0.5), std::sqrt(0.5), 0, 0}));
}

}  // namespace
}  // namespace mercer
