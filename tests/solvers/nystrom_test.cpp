#include "solvers/nystrom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/refusal.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

std::unique_ptr<const DenseMap> map_of(const Kernel& k, const Points& landmarks) {
  return nystrom_map(k, landmarks, nystrom_matrix(k, landmarks, 1));
}

TEST(Nystrom, WithEveryRowAsALandmarkIsTheKernel) {
  for (const std::size_t n : {1, 2, 40}) {
    const Points x = as_points(random_rows(n, 3, n));
    for (const char* text : {"rbf(gamma=0.5)", "rbf(gamma=0.001)", "laplace(lambda=1)", "poly(degree=3)",
                             "linear", "constant(c=2)", "normalize(poly(degree=2)) + delta"}) {
      const Kernel k = Kernel::parse(text);
      double size = 1;
      for (const double value : full(KernelOperator<double>(k, x))) size = std::max(size, std::abs(value));
      EXPECT_LT(feature_error(features_of(*map_of(k, x), x), k, x).largest, 1e-10 * size) << text << " " << n;
    }
  }
}

TEST(Nystrom, IsTheProjectionOntoTheLandmarks) {  // k(x, Z) K_ZZ⁻¹ k(Z, z) with a 2 × 2 inverse by hand
  const Points Z({{0, 1}, {1, 0}}), x({{1, 1}, {0.5, -1}});
  const Kernel k = rbf({.gamma = 0.5});
  const auto K = full(KernelOperator<double>(k, Z)), C = full(KernelOperator<double>(k, x, Z));
  const double determinant = K[0] * K[3] - K[1] * K[2];
  const auto phi = features_of(*map_of(k, Z), x);
  ASSERT_EQ(phi.size(), 4u);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double *a = &C[std::size_t(2 * i)], *b = &C[std::size_t(2 * j)];
      const double expected =
          (a[0] * (K[3] * b[0] - K[1] * b[1]) + a[1] * (K[0] * b[1] - K[2] * b[0])) / determinant;
      const double *p = &phi[std::size_t(2 * i)], *q = &phi[std::size_t(2 * j)];
      EXPECT_NEAR(p[0] * q[0] + p[1] * q[1], expected, 1e-14);
    }
}

TEST(Nystrom, HasOnlyAsManyFeaturesAsTheRank) {
  const Points x = as_points(random_rows(30, 3, 2));
  EXPECT_EQ(map_of(linear(), x)->features(), 3u);
  EXPECT_EQ(map_of(poly({.degree = 2}), x)->features(), 10u);
  EXPECT_EQ(map_of(constant(), x)->features(), 1u);
  const Points zero({{0, 0}, {0, 0}});
  EXPECT_EQ(features_of(*map_of(linear(), zero), zero), (std::vector<double>{0, 0}));
}

// Apart, landmarks have a Cholesky factor; nearly equal, only eigenvalues tell how many directions there are.
TEST(Nystrom, IsAsExactForLandmarksThatAreNearlyEqual) {
  for (const double apart : {1.0, 1e-3, 1e-6, 1e-12, 0.0}) {
    auto rows = random_rows(12, 3, 5);
    for (std::size_t i = 6; i < 12; ++i) {
      rows[i] = rows[i - 6];
      rows[i][0] += apart;
    }
    const Points x = as_points(rows);
    const auto map = map_of(rbf({.gamma = 0.5}), x);
    if (apart > 1e-5 || apart == 0) EXPECT_EQ(map->features(), apart > 0 ? 12u : 6u) << apart;
    EXPECT_LT(feature_error(features_of(*map, x), rbf({.gamma = 0.5}), x).largest, 1e-9) << apart;
  }
}

TEST(Nystrom, NeverExceedsTheDiagonal) {
  const Points x = as_points(random_rows(200, 3, 3));
  std::vector<std::size_t> some(20);
  std::iota(some.begin(), some.end(), std::size_t(7));
  const auto map = map_of(rbf({.gamma = 0.5}), x.select_rows(some));
  const auto phi = features_of(*map, x);
  for (std::size_t i = 0; i < 200; ++i) {
    const double* row = &phi[i * map->features()];
    EXPECT_LE(std::inner_product(row, row + map->features(), row, 0.0), 1 + 1e-12);
  }
}

TEST(Nystrom, IsTheSameForEveryStorageAndThreadCount) {
  const auto rows = random_rows(300, 6, 2);
  const auto map = map_of(rbf({.gamma = 0.2}), as_points(random_rows(25, 6, 9)));
  const auto dense = features_of(*map, as_points(rows), 1);
  EXPECT_TRUE(same_bits(dense, features_of(*map, as_points(rows), 3)));
  for (const Kind kind : {Kind::dense32, Kind::sparse64, Kind::sparse32}) {
    const auto other = features_of(*map, as_points(rows, kind), 2);
    for (std::size_t e = 0; e < dense.size(); ++e) ASSERT_NEAR(other[e], dense[e], 1e-11);
  }
  EXPECT_TRUE(features_of(*map, Points(Dense<double>{0, 6, {}})).empty());
}

TEST(Nystrom, RefusesKernelsThatHaveNoFeatures) {
  const Points x = as_points(random_rows(10, 3, 2));
  const auto message = [&](const Kernel& k) {
    return refusal(ErrorKind::usage, [&] { nystrom_matrix(k, x, 1); });
  };
  EXPECT_NE(message(rbf({.gamma = 1}) - linear())
                .find("is not positive semidefinite: between the landmarks its smallest eigenvalue is -"),
            std::string::npos);
  EXPECT_NE(message(-1 * constant()).find("only a valid kernel has features"), std::string::npos);
  const Kernel own = user_kernel(
      "own", [](std::span<const double> a, std::span<const double> b) { return 1 + a[0] * b[0]; });
  EXPECT_EQ(message(own), "no error");  // valid here, though not proved
}

TEST(Nystrom, RefusesKernelsThatNeedAllRows) {
  const auto message = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { check_for_landmarks(Kernel::parse(text)); });
  };
  EXPECT_EQ(
      message("linear + center(linear)"),
      "linear + center(linear) takes its mean over all rows, which landmarks cannot stand for; leave out "
      "center and centre the features");
  EXPECT_EQ(message("2*precomputed"),
            "2*precomputed is read from a matrix of all rows, which landmarks cannot stand for; use the "
            "kernel itself");
  EXPECT_EQ(message("normalize(linear) + chi2"), "no error");
}

constexpr LandmarkRule all_rules[]{LandmarkRule::pivoted, LandmarkRule::uniform, LandmarkRule::spread};

TEST(Landmarks, AreDifferentRowsAndTheSameForASeed) {
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(60, 3, 1)));
  for (const LandmarkRule rule : all_rules) {
    const auto rows = choose_landmarks(rule, K, {.count = 20, .seed = 3, .threads = 1}).rows;
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 20u);
    for (const std::size_t row : rows) EXPECT_LT(row, 60u);
    EXPECT_EQ(choose_landmarks(rule, K, {.count = 20, .seed = 3, .threads = 3}).rows, rows);
    EXPECT_NE(choose_landmarks(rule, K, {.count = 20, .seed = 4, .threads = 1}).rows, rows);
  }
}

TEST(Landmarks, AreAtMostAllRows) {
  for (const LandmarkRule rule : all_rules) {
    const KernelOperator<double> one(rbf({.gamma = 0.5}), Points({{1, 2}}));
    EXPECT_EQ(choose_landmarks(rule, one, {.count = 5}).rows, std::vector<std::size_t>{0});
    const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(7, 3, 1)));
    const auto rows = choose_landmarks(rule, K, {.count = 100}).rows;
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 7u);
  }
}

TEST(Landmarks, FarFromEachOtherCoverEveryClump) {
  std::vector<std::vector<double>> rows;  // 3 clumps of very different sizes
  for (int i = 0; i < 98; ++i) rows.push_back({0.001 * i, 0});
  rows.push_back({10, 0});
  rows.push_back({0, 10});
  const KernelOperator<double> K(rbf({.gamma = 0.5}), Points(rows));
  for (const LandmarkRule rule : {LandmarkRule::pivoted, LandmarkRule::spread})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto chosen = choose_landmarks(rule, K, {.count = 5, .seed = seed}).rows;
      const std::set<std::size_t> set(chosen.begin(), chosen.end());
      EXPECT_TRUE(set.contains(98) && set.contains(99));
    }
}

TEST(Landmarks, FarFromEachOtherAreDrawnByTheSquaredDistance) {
  // Linear kernel on a line: from 0 the others are drawn by the squares 1 and 9.
  const KernelOperator<double> K(linear(), Points({{0}, {1}, {3}}));
  std::map<std::size_t, int> second;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto rows =
        choose_landmarks(LandmarkRule::spread, K, {.count = 2, .seed = seed, .threads = 1}).rows;
    if (rows.at(0) == 0) ++second[rows.at(1)];
  }
  EXPECT_NEAR(double(second[2]) / double(second[1] + second[2]), 0.9, 0.04);
}

TEST(Landmarks, AreFewerWhereRowsAreEqual) {
  const KernelOperator<double> K(rbf({.gamma = 0.5}), Points({{1, 2}, {3, 4}, {1, 2}, {3, 4}, {1, 2}}));
  EXPECT_EQ(choose_landmarks(LandmarkRule::spread, K, {.count = 4}).rows.size(), 2u);
  EXPECT_EQ(choose_landmarks(LandmarkRule::pivoted, K, {.count = 4}).rows.size(), 2u);
  const KernelOperator<double> zero(linear(), Points({{0}, {0}}));
  for (const LandmarkRule rule : {LandmarkRule::pivoted, LandmarkRule::spread})
    EXPECT_EQ(choose_landmarks(rule, zero, {.count = 2}).rows.size(), 1u);
}

TEST(Landmarks, NeedARowAndCanBeStopped) {
  const KernelOperator<double> none(linear(), Points(Dense<double>{0, 2, {}}));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { choose_landmarks(LandmarkRule::uniform, none, {}); }),
            "landmarks are chosen among rows, and there are none");
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(30, 3, 1)));
  EXPECT_EQ(refusal(ErrorKind::cancelled,
                    [&] {
                      choose_landmarks(
                          LandmarkRule::spread, K,
                          {.count = 9, .progress = [](std::string_view, double) { return false; }});
                    }),
            "the choice of landmarks was stopped");
}

}  // namespace
}  // namespace mercer
