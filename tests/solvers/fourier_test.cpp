#include "solvers/fourier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/refusal.hpp"
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
        "scaled(matern(nu=2.5, length=2), by=[1, 0, 2, -1])", "matern(nu=0.8, length=2)",
        "spectral_mixture(weights=[1, 2], means=[[0.1, 0.2, 0, 0.3], [0, 0, 0.5, -0.1]], "
        "variances=[[0.01, 0.02, 0.03, 0.04], [0.1, 0.01, 0.01, 0.02]])",
        "scaled(spectral_mixture(weights=[1], means=[[0.1, 0.2, 0, 0.3]], "
        "variances=[[0.01, 0.02, 0.03, 0.04]]), by=[1, 2, 0, -1])^2"}) {
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

Frequencies of(const Kernel& kernel, std::size_t columns, std::size_t count, bool orthogonal = true) {
  return draw_frequencies(kernel.node().spectrum(), columns, count, 5, orthogonal);
}

double product(const Frequencies& f, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t k = 0; k < f.columns; ++k) sum += f.values[k * f.count + a] * f.values[k * f.count + b];
  return sum;
}

TEST(GammaNumber, HasTheMomentsOfItsDistribution) {
  for (const double shape : {0.5, 0.9, 1.0, 2.5, 30.0}) {
    Random random(1);
    double sum = 0, squares = 0;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
      const double value = gamma_number(random, shape);
      ASSERT_GT(value, 0);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    EXPECT_NEAR(mean, shape, 5 * std::sqrt(shape / n)) << shape;
    EXPECT_NEAR(variance, shape, 0.1 * shape + 0.02) << shape;
  }
}

TEST(Frequencies, OfARadialKernelAreOrthogonalInBlocks) {
  for (const Kernel& k : {rbf({.gamma = 0.3}), laplace({.lambda = 2.0}), matern({.nu = 2.5, .length = 0.5}),
                          rational_quadratic({.alpha = 2, .length = 1.0})}) {
    const Frequencies f = of(k, 5, 12);  // blocks of 5, 5 and 2
    ASSERT_EQ(f.values.size(), 60u);
    for (std::size_t a = 0; a < 12; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        if (a / 5 == b / 5) {
          EXPECT_NEAR(product(f, a, b), 0, 1e-12 * std::sqrt(product(f, a, a) * product(f, b, b)))
              << k.text();
        }
      }
  }
  EXPECT_GT(std::abs(product(of(rbf({.gamma = 0.3}), 5, 5, false), 0, 1)), 1e-3);
  EXPECT_GT(std::abs(product(of(manhattan(), 5, 5), 0, 1)), 1e-3);
}

TEST(Frequencies, HaveTheLengthsOfTheirDistribution) {
  const Frequencies normal = of(rbf({.gamma = 2}), 3, 6000);  // ω ~ N(0, 2γ): E‖ω‖² = 2γd
  double sum = 0;
  for (std::size_t a = 0; a < normal.count; ++a) sum += product(normal, a, a);
  EXPECT_NEAR(sum / 6000, 12, 0.6);
  // Student's t with 5 degrees: E‖ω‖² = d·(5/3)/ℓ².
  const Frequencies student = of(matern({.nu = 2.5, .length = 0.5}), 2, 6000);
  sum = 0;
  for (std::size_t a = 0; a < student.count; ++a) sum += product(student, a, a);
  EXPECT_NEAR(sum / 6000, 2 * 5. / 3 * 4, 0.8);
  std::vector<double> cauchy = of(manhattan({.lambda = 3}), 1, 6001).values;  // the median of |ω| is λ
  for (double& value : cauchy) value = std::abs(value);
  std::ranges::nth_element(cauchy, cauchy.begin() + 3000);
  EXPECT_NEAR(cauchy[3000], 3, 0.2);
}

TEST(Frequencies, PointInAllDirections) {
  const Frequencies f = of(rbf({.gamma = 0.5}), 3, 6000);  // each coordinate has mean 0 and variance 1
  for (std::size_t k = 0; k < 3; ++k) {
    const double* values = &f.values[k * f.count];
    EXPECT_NEAR(std::accumulate(values, values + f.count, 0.0) / 6000, 0, 0.05);
    EXPECT_NEAR(std::inner_product(values, values + f.count, values, 0.0) / 6000, 1, 0.08);
  }
}

TEST(Frequencies, OfASumAreSharedByWeight) {
  const Frequencies f = of(3 * rbf({.gamma = 1}) + 1 * laplace({.lambda = 1.0}) + 8 * constant(), 2, 100);
  ASSERT_EQ(f.count, 101u);  // 75, 25, and one of frequency 0
  EXPECT_DOUBLE_EQ(f.amplitudes[74], std::sqrt(3. / 75));
  EXPECT_DOUBLE_EQ(f.amplitudes[75], std::sqrt(1. / 25));
  EXPECT_DOUBLE_EQ(f.amplitudes[100], std::sqrt(8.));
  EXPECT_EQ(f.values[100], 0);
  EXPECT_EQ(of(rbf({.gamma = 1}) + 1e-9 * laplace({.lambda = 1.0}), 2, 1).count, 2u);
  const double total =
      std::inner_product(f.amplitudes.begin(), f.amplitudes.end(), f.amplitudes.begin(), 0.0);
  EXPECT_NEAR(total, 12, 1e-12);  // k(x, x)
}

TEST(Frequencies, AreScaledWithTheColumns) {
  const Frequencies plain = of(rbf({.gamma = 1}), 2, 10), f = of(scaled(rbf({.gamma = 1}), {3, 0}), 2, 10);
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_EQ(f.values[j], 3 * plain.values[j]);
    EXPECT_EQ(f.values[10 + j], 0);
  }
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [] {
                      of(scaled(rbf({.gamma = 1}), {3, 1}), 3, 2);
                    }),
            "scaled: by has 2 weights but the points have 3 columns; one for each is needed");
}

TEST(Frequencies, OfPointsWithoutColumnsAreEmpty) {
  const Frequencies f = of(rbf({.gamma = 1}), 0, 3);
  EXPECT_TRUE(f.values.empty());
  EXPECT_EQ(f.amplitudes.size(), 3u);
}

}  // namespace
}  // namespace mercer
