// The layout of products, and what it is for: right distances wherever the points lie.
#include "operators/packed_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

constexpr std::size_t plenty = std::size_t(1) << 31;

std::vector<Row> sparse_rows(std::size_t n, std::size_t d, double density, std::uint64_t seed) {
  auto rows = random_rows(n, d, seed);
  Random random(seed + 1);
  for (Row& row : rows)
    for (double& value : row) value = random.uniform() < density ? value + 0.1 : 0;
  return rows;
}

TEST(Layout, IsDenseWhereThatIsCheaper) {
  const auto dense = [](const Points& a, const Points& b, std::size_t memory) {
    return choose_layout(a, b, false, false, Precision::float32, memory).dense;
  };
  const Points full = as_points(random_rows(30, 50, 1)), half = full.to_sparse();
  const Points thin = as_points(sparse_rows(30, 2000, 0.01, 2), Kind::sparse64);
  EXPECT_TRUE(dense(full, full, 0));  // dense points stay dense, whatever the memory
  EXPECT_TRUE(dense(half, half, plenty));
  EXPECT_FALSE(dense(half, half, 100));
  EXPECT_FALSE(dense(thin, thin, plenty));
  EXPECT_FALSE(dense(thin.to_dense(), thin, plenty) && !dense(thin, thin.to_dense(), plenty));
}

TEST(Layout, CentresWhereTheMeanIsFarFromTheOrigin) {
  const auto centre = [](const Points& p, bool wanted) {
    return choose_layout(p, p, wanted, false, Precision::float64, plenty).centre;
  };
  // Coordinates m ± 1: the spread is 1 in each, so the mean counts from |m| > ½ on.
  const auto around = [](double m) {
    return Points(std::vector<Row>{{m - 1, m - 1}, {m + 1, m + 1}, {m - 1, m + 1}, {m + 1, m - 1}});
  };
  EXPECT_TRUE(centre(around(0), true).empty());
  EXPECT_TRUE(centre(around(0.49), true).empty());
  EXPECT_EQ(centre(around(0.51), true).size(), 2u);
  EXPECT_NEAR(centre(around(0.51), true)[0], 0.51, 1e-12);
  EXPECT_TRUE(centre(around(0.51), false).empty());
  EXPECT_EQ(centre(around(1e6).to_sparse(), true).size(), 2u);
  EXPECT_TRUE(centre(around(5).select_rows({}), true).empty());
}

/// A layout of as many columns as the points have.
Layout laid_out(const Points& points, bool dense, std::vector<double> centre = {}) {
  return {.dense = dense, .columns = points.cols(), .centre = std::move(centre)};
}

TEST(PackedMatrix, UsesTheNumbersInPlaceWhereItCan) {
  const Points points = as_points(random_rows(4, 3, 3));
  const PackedMatrix<double> same(points, laid_out(points, true), false);
  EXPECT_EQ(same.dense, std::get<Dense<double>>(points.storage()).values.data());
  EXPECT_EQ(same.sparse, nullptr);
  const PackedMatrix<float> rounded(points, laid_out(points, true), false);
  const PackedMatrix<double> moved(points, laid_out(points, true, {1, 2, 3}), true);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(rounded.dense[i * 3 + k], float(points.row(i)[k]));
      EXPECT_EQ(moved.dense[i * 3 + k], points.row(i)[k] - double(k + 1));
    }
  const PackedMatrix<float> indexed(points, laid_out(points, false), false);
  EXPECT_EQ(indexed.dense, nullptr);
  EXPECT_EQ(indexed.sparse->values.size(), points.to_sparse().stored());
}

TEST(PackedMatrix, HasZerosInColumnsThatTheOtherSideAloneHas) {
  const Points points = as_points(random_rows(3, 2, 5));
  const PackedMatrix<double> wide(points, {.dense = true, .columns = 4, .centre = {}}, false);
  EXPECT_EQ(wide.cols, 4u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(wide.dense[i * 4 + k], k < 2 ? points.row(i)[k] : 0);
  const Layout both =
      choose_layout(points, as_points(random_rows(3, 4, 6)), false, true, Precision::float64, plenty);
  EXPECT_EQ(both.columns, 4u);
}

TEST(PackedMatrix, GathersRowsInTheOrderGiven) {
  const auto rows = sparse_rows(10, 30, 0.3, 4);
  const std::vector<std::size_t> chosen{9, 2, 2, 0};
  for (const bool dense : {true, false}) {
    const PackedMatrix<double> all(as_points(rows), laid_out(as_points(rows), dense), false),
        some = all.gather(chosen);
    EXPECT_EQ(some.rows, 4u);
    EXPECT_EQ(some.cols, 30u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(squared_norm(some, i), squared_norm(all, chosen[i]));
      EXPECT_EQ(squared_distance(some, i, all, chosen[i]), 0);
      for (std::size_t j = 0; j < 10; ++j)
        EXPECT_NEAR(squared_distance(some, i, all, j), squared_gap(rows[chosen[i]], rows[j]), 1e-13);
    }
    EXPECT_EQ(all.gather({}).rows, 0u);
  }
}

TEST(PackedMatrix, HasDistancesWithoutCancellation) {
  const Points points(std::vector<Row>{{1e8, 0, 1}, {1e8 + 1, 0, 0}, {0, 0, 0}});
  for (const bool dense : {true, false}) {
    const PackedMatrix<double> o(points, laid_out(points, dense), false);
    EXPECT_EQ(squared_distance(o, 0, o, 1), 2);
    EXPECT_EQ(squared_distance(o, 2, o, 0), 1e16 + 1);
    EXPECT_EQ(squared_norm(o, 2), 0);
  }
}

// --- What it is for.

struct Radial {
  const char* text;
  long double (*of_squared)(long double);
};
const Radial radials[] = {{"rbf(gamma=0.7)", [](long double s) { return expl(-0.7L * s); }},
                          {"laplace(lambda=0.9)", [](long double s) { return expl(-0.9L * sqrtl(s)); }},
                          {"matern(nu=0.5, length=2)", [](long double s) { return expl(-sqrtl(s) / 2); }},
                          {"matern(nu=1.5, length=2)",
                           [](long double s) {
                             const long double t = sqrtl(3 * s) / 2;
                             return (1 + t) * expl(-t);
                           }},
                          {"matern(nu=2.5, length=2)", [](long double s) {
                             const long double t = sqrtl(5 * s) / 2;
                             return (1 + t + t * t / 3) * expl(-t);
                           }}};

void expect_radial(const std::vector<Row>& rows, double float64, double float32, const char* what) {
  for (const Radial& k : radials)
    for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
      const Points points = as_points(rows, kind);
      const auto K = full(KernelOperator<double>(Kernel::parse(k.text), points));
      const auto K32 = full(KernelOperator<float>(Kernel::parse(k.text), points));
      const auto cross = full(KernelOperator<float>(Kernel::parse(k.text), points, points));
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j) {
          long double squared = 0;
          for (std::size_t c = 0; c < rows[i].size(); ++c)
            squared += powl(static_cast<long double>(rows[i][c]) - rows[j][c], 2);
          const double expected = double(k.of_squared(squared));
          const std::size_t e = i * rows.size() + j;
          ASSERT_NEAR(K[e], expected, float64 * expected) << what << " " << k.text << " " << i << " " << j;
          // Beyond the smallest float32 there is nothing to compare.
          ASSERT_NEAR(K32[e], expected, float32 * expected + 1e-37)
              << what << " " << k.text << " " << i << " " << j;
          ASSERT_NEAR(cross[e], expected, float32 * expected + 1e-37)
              << what << " " << k.text << " " << i << " " << j;
          if (i == j) {
            ASSERT_EQ(K[e], 1) << what;
          }
        }
    }
}

TEST(Distances, AreRightFarFromTheOrigin) {
  auto rows = random_rows(40, 5, 5);
  for (Row& row : rows)
    for (double& value : row) value = value / 3 + 1e6;
  expect_radial(rows, 1e-9, 1e-5, "offset 1e6");
}

TEST(Distances, OfNearAndExactDuplicatesAreRight) {
  auto rows = random_rows(20, 6, 6);
  for (Row& row : rows) {
    const double length = std::sqrt(dot(row, row)) + 1e-3;
    for (double& value : row) value /= length;
  }
  const auto originals = rows;
  for (const Row& row : originals) {
    Row near = row;
    near[2] += 1e-5;
    rows.push_back(near);
    rows.push_back(row);
  }
  expect_radial(rows, 1e-12, 1e-5, "near duplicates");
}

TEST(Distances, WithinTightClustersFarApartAreRight) {
  auto rows = random_rows(60, 4, 7);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (double& value : rows[i]) value = value * 0.05 + (i % 3 == 0 ? 0.0 : i % 3 == 1 ? 100.0 : -50.0);
  expect_radial(rows, 1e-9, 1e-4, "clusters");
}

TEST(Distances, WhoseSquaresOverflowAreInfinite) {
  std::vector<Row> rows = random_rows(40, 2, 10);
  rows[17] = {1e25, -1e25};  // its square is beyond float32
  for (const char* text : {"rbf(gamma=1)", "laplace(lambda=1)", "matern(nu=0.5, length=1)",
                           "rational_quadratic(alpha=1, length=1)", "delta"}) {
    const auto K = full(KernelOperator<float>(Kernel::parse(text), as_points(rows)));
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(K[17 * 40 + i], i == 17 ? 1.0f : 0.0f) << text << " " << i;
      EXPECT_EQ(K[i * 40 + 17], i == 17 ? 1.0f : 0.0f) << text << " " << i;
      EXPECT_EQ(K[i * 41], 1.0f) << text;
    }
  }
  // ‖x‖² + ‖z‖² − 2xᵀz is ∞ − ∞ for one pair of a row whose other pairs need no second look.
  auto others = random_rows(64, 2, 11);
  others[17] = {1e25, 0};
  const auto cross = full(
      KernelOperator<float>(rbf({.gamma = 1e-31}), Points(std::vector<Row>{{1e15, 0}}), as_points(others)));
  for (std::size_t j = 0; j < 64; ++j) EXPECT_NEAR(cross[j], j == 17 ? 0 : std::exp(-0.1), 1e-6) << j;
  rows[17] = {1e39, 0};
  const Error error = thrown_by([&] { KernelOperator<float>(rbf({.gamma = 1}), as_points(rows)); });
  EXPECT_TRUE(contains(error.what(), "row 18, column 1 is 1e+39, too large for float32")) << error.what();
}

}  // namespace
}  // namespace mercer
