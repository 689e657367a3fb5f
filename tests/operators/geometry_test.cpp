#include "mercer/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/entries.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

double gap(const Row& a, const Row& b) { return squared_gap(a, b); }

TEST(SquaredDistances, EqualThoseOfExplicitFeatures) {
  const Points x = as_points(random_rows(7, 3, 1)), z = as_points(random_rows(9, 3, 2));
  for (const char* text : {"linear", "poly(degree=3)", "poly(degree=2, offset=0) + 2*linear",
                           "normalize(poly(degree=2))", "linear@[1, 3]*linear"}) {
    const Kernel k = Kernel::parse(text);
    const Points fx = explicit_features(k, x), fz = explicit_features(k, z);
    const auto own = squared_distances(k, x, x), cross = squared_distances(k, x, z);
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < 7; ++j)
        EXPECT_NEAR(own[i * 7 + j], gap(fx.row(i), fx.row(j)), 1e-11 * (1 + dot(fx.row(i), fx.row(i))))
            << text;
      for (std::size_t j = 0; j < 9; ++j)
        EXPECT_NEAR(cross[i * 9 + j], gap(fx.row(i), fz.row(j)), 1e-11 * (1 + dot(fx.row(i), fx.row(i))))
            << text;
    }
  }
}

TEST(Angles, EqualThoseOfExplicitFeatures) {
  const Points x = as_points(random_rows(7, 3, 1)), z = as_points(random_rows(9, 3, 2));
  for (const char* text : {"linear", "poly(degree=3)", "normalize(poly(degree=2))"}) {
    const Kernel k = Kernel::parse(text);
    const Points fx = explicit_features(k, x), fz = explicit_features(k, z);
    const auto found = angles(k, x, z);
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 9; ++j) {
        const Row a = fx.row(i), b = fz.row(j);
        EXPECT_NEAR(std::cos(found[i * 9 + j]), dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)), 1e-12) << text;
      }
  }
  for (const double angle : {angles(linear(), x, x)[0], angles(rbf({.gamma = 1}), x, x)[8]})
    EXPECT_NEAR(angle, 0, 1e-7);
  const Points zero(std::vector<std::vector<double>>{{1, 1}, {0, 0}});
  EXPECT_THROW(angles(linear(), zero, zero), Error);
}

TEST(MeanEmbedding, IsTheMeanOfTheKernel) {
  const Points x = as_points(random_rows(7, 3, 1)), z = as_points(random_rows(9, 3, 2));
  const Kernel k = Kernel::parse("rbf(gamma=0.3) + linear");
  std::vector<double> K(63);
  KernelOperator<double>(k, x, z, {.threads = 1}).matrix(K);
  const auto found = mean_embedding(k, x, z);
  for (std::size_t i = 0; i < 7; ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < 9; ++j) mean += K[i * 9 + j] / 9;
    EXPECT_NEAR(found[i], mean, 1e-13);
  }
  EXPECT_THROW(mean_embedding(k, x, Points()), Error);
}

TEST(SquaredDistances, EqualTheFormulaAndAreZeroBetweenEqualPoints) {
  const auto rows = random_rows(30, 4, 3);
  const Points x = as_points(rows), sparse = as_points(rows, Kind::sparse64);
  for (const Points& points : {x, sparse}) {
    const auto distances = squared_distances(rbf({.gamma = 0.3}), points, points);
    for (std::size_t i = 0; i < 30; ++i)
      for (std::size_t j = 0; j < 30; ++j) {
        if (i == j) {
          EXPECT_EQ(distances[i * 31], 0);
        }
        EXPECT_NEAR(distances[i * 30 + j], 2 - 2 * std::exp(-0.3 * squared_gap(rows[i], rows[j])), 1e-14);
        EXPECT_GE(distances[i * 30 + j], 0);
      }
  }
  const auto poly3 = squared_distances(poly({.degree = 3}), x, x);
  for (std::size_t i = 0; i < 30; ++i)
    EXPECT_NEAR(poly3[i * 31], 0, 1e-12 * std::pow(1 + dot(rows[i], rows[i]), 3));
}

TEST(SquaredDistances, DoNotChangeWithTheOrigin) {
  const Points x = as_points(random_rows(8, 3, 4)), z = as_points(random_rows(11, 3, 5, false, 1));
  const Kernel k = poly({.degree = 2});
  const auto plain = squared_distances(k, x, z), centred = squared_distances(center(k), x, z);
  for (std::size_t e = 0; e < plain.size(); ++e) EXPECT_NEAR(centred[e], plain[e], 1e-10 * (1 + plain[e]));
  const auto to_mean = squared_distances_to_mean(k, x, z),
             from_origin = squared_distances_to_mean(center(k), x, z);
  for (std::size_t e = 0; e < to_mean.size(); ++e)
    EXPECT_NEAR(from_origin[e], to_mean[e], 1e-10 * (1 + to_mean[e]));
}

TEST(SquaredDistances, ResolveAutoOnTheReference) {
  const Points x = as_points(random_rows(5, 3, 6, false, 9)), z = as_points(random_rows(6, 3, 7));
  EXPECT_EQ(squared_distances(rbf(), x, z), squared_distances(rbf().resolve(z), x, z));
  EXPECT_EQ(squared_distances_to_mean(rbf(), x, z), squared_distances_to_mean(rbf().resolve(z), x, z));
  EXPECT_EQ(squared_distances(rbf(), x, z, {.threads = 1}),
            squared_distances(rbf(), x, z, {.storage = OperatorOptions::Storage::held, .threads = 2}));
}

TEST(SquaredDistancesToMean, EqualTheDistancesToTheExplicitMean) {
  const auto z_rows = random_rows(12, 2, 8);
  const Points x = as_points(random_rows(6, 2, 9)), z = as_points(z_rows);
  for (const char* text :
       {"linear", "poly(degree=2)", "poly(degree=3, offset=0)", "2*linear + poly(degree=2)*linear"}) {
    const Kernel k = Kernel::parse(text);
    const Points fx = explicit_features(k, x), fz = explicit_features(k, z);
    Row mean(fz.cols());
    for (std::size_t j = 0; j < 12; ++j)
      for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += fz.row(j)[c] / 12;
    const auto distances = squared_distances_to_mean(k, x, z), own = squared_distances_to_mean(k, z, z);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(distances[i], gap(fx.row(i), mean), 1e-11 * (1 + distances[i])) << text;
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_NEAR(own[i], gap(fz.row(i), mean), 1e-11 * (1 + own[i])) << text;
  }
  EXPECT_NEAR(squared_distances_to_mean(rbf({.gamma = 1}), z.select_rows(std::vector<std::size_t>{3}),
                                        z.select_rows(std::vector<std::size_t>{3}))[0],
              0, 1e-15);
}

}  // namespace
}  // namespace mercer
