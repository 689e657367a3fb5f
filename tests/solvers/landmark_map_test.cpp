// Nyström maps of many rows: what they leave, which landmarks they take, and how much memory.
#include "solvers/landmark_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "elimination.hpp"
#include "mercer/kernel_operator.hpp"
#include "message_of.hpp"
#include "operators/landmark_features.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

LandmarkMap made(const std::string& text, const std::string& kernel, const Points& points,
                 std::size_t memory = std::size_t(1) << 30) {
  return make_landmark_map(MapName::parse(text), Kernel::parse(kernel), points, {.memory = memory});
}

// φ(x)ᵀφ(z) = k(x, Z) K_ZZ⁻¹ k(Z, z), by elimination.
TEST(LandmarkMap, IsTheProjectionOntoTheLandmarks) {
  const Points points = as_points(random_rows(60, 3, 1));
  for (const char* text : {"nystrom:7", "nystrom:7:uniform", "nystrom:7:kmeans++"}) {
    const LandmarkMap map = made(text, "rbf(gamma=0.3)", points);
    const LandmarkForm& form = *map.map->landmark_form();
    const std::size_t m = form.count();
    ASSERT_EQ(m, 7u) << text;
    std::vector<double> K(m * m), cross(60 * m), row(m), other(m);
    KernelOperator<double>(form.kernel, form.landmarks).matrix(K);
    KernelOperator<double>(form.kernel, points, form.landmarks).matrix(cross);
    const Points phi = map.map->rows_of(points, 2);
    double left = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      const auto begin = cross.begin() + std::ptrdiff_t(i * m);
      const std::vector<double> solved =
          ::mercer::testing::eliminate(K, std::vector<double>(begin, begin + std::ptrdiff_t(m)));
      phi.copy_row(i, row);
      for (std::size_t j = 0; j < 60; ++j) {
        double expected = 0, found = 0;
        for (std::size_t l = 0; l < m; ++l) expected += solved[l] * cross[j * m + l];
        phi.copy_row(j, other);
        for (std::size_t l = 0; l < m; ++l) found += row[l] * other[l];
        EXPECT_NEAR(found, expected, 1e-9);
        if (i == j) left += 1 - expected;
      }
    }
    EXPECT_NEAR(map.trace_left, left / 60, 1e-6) << text;
  }
}

TEST(LandmarkMap, LeavesOutLandmarksThatOthersSpan) {
  std::vector<std::vector<double>> rows = random_rows(20, 2, 3);
  for (std::size_t i = 0; i < 20; ++i) rows.push_back(rows[i]);  // each twice
  const LandmarkMap twice = made("nystrom:40:uniform", "rbf(gamma=1)", as_points(rows));
  EXPECT_LE(twice.map->features(), 20u);
  EXPECT_LT(twice.trace_left, 1e-6);
  // Of two columns K has rank 2.
  const LandmarkMap linear = made("nystrom:10:uniform", "linear", as_points(random_rows(30, 2, 4)));
  EXPECT_EQ(linear.map->features(), 2u);
  EXPECT_LT(linear.trace_left, 1e-9);
  // k = 0 throughout: one feature that is 0.
  const LandmarkMap zero = made("nystrom:3:uniform", "linear", as_points({{0.0}, {0.0}, {0.0}, {0.0}}));
  EXPECT_EQ(zero.map->features(), 1u);
  EXPECT_EQ(zero.map->rows_of(as_points({{0.0}}), 1).row(0)[0], 0);
}

// With less memory landmarks are pivoted in float32, among fewer rows; they are as good.
TEST(LandmarkMap, MakesDoWithLittleMemory) {
  const Points points = as_points(random_rows(3000, 3, 5));
  const std::size_t least = landmark_bytes(MapName::parse("nystrom:50"), 3000);
  const LandmarkMap much = made("nystrom:50", "rbf(gamma=0.5)", points),
                    little = made("nystrom:50", "rbf(gamma=0.5)", points, least);
  EXPECT_EQ(little.map->features(), 50u);
  EXPECT_LT(little.trace_left, 2 * much.trace_left + 0.01);
  EXPECT_NE(message_of([&] {
              made("nystrom:50", "rbf(gamma=0.5)", points, least - 1);
            }).find("choose them by uniform or kmeans++"),
            std::string::npos);
}

// Where float32 tells no rows apart, the other landmarks are drawn uniformly.
TEST(LandmarkMap, HasAsManyLandmarksInFloat32) {
  const Points points = as_points(random_rows(3000, 2, 6));
  const LandmarkMap map =
      made("nystrom:60", "rbf(gamma=0.01)", points, landmark_bytes(MapName::parse("nystrom:60"), 3000));
  EXPECT_GT(map.map->features(), 10u);
  EXPECT_LT(map.trace_left, 1e-4);
}

}  // namespace
}  // namespace mercer
