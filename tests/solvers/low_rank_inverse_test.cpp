#include "solvers/low_rank_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "mercer/kernels.hpp"
#include "operators/feature_operator.hpp"
#include "operators/row_features.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

std::vector<double> random_normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = double(float(random.normal()));
  return values;
}

void expect_inverse(std::size_t n, std::size_t rank, std::size_t k, double mu, bool scaled) {
  const std::vector<double> factor = random_normals(n * rank, n + rank);
  std::vector<double> s = scaled ? random_normals(n, 3) : std::vector<double>{};
  for (double& value : s) value = value < -1 ? 0 : std::abs(value);
  const Progress progress;
  const ColumnFeatures one(factor.data(), rank, n, 1, progress), two(factor.data(), rank, n, 2, progress);
  LowRankInverse inverse(one, 1, progress), other(two, 2, progress);
  ASSERT_TRUE(inverse.prepare({}, 3.0));  // another S and μ before
  ASSERT_TRUE(inverse.prepare(s, mu));
  ASSERT_TRUE(other.prepare(s, mu));
  const std::vector<double> X = random_normals(n * k, 7);
  std::vector<double> R(n * k), inner(rank * k), out(n * k), again(n * k);
  const auto weight = [&](std::size_t i) { return s.empty() ? 1.0 : s[i]; };
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t e = 0; e < n * k; ++e)
      inner[r * k + e % k] += factor[r * n + e / k] * weight(e / k) * X[e];
  for (std::size_t e = 0; e < n * k; ++e) {
    R[e] = mu * X[e];
    for (std::size_t r = 0; r < rank; ++r)
      R[e] += weight(e / k) * factor[r * n + e / k] * inner[r * k + e % k];
  }
  inverse.apply(R, k, out);
  other.apply(R, k, again);
  // A rough small matrix (float32, and a μ that hides it) gives an inverse that is only near.
  const double tolerance = one.rough_suffices(s, mu) ? 5e-2 : 1e-9 / mu;
  for (std::size_t e = 0; e < out.size(); ++e)
    ASSERT_NEAR(out[e], X[e], tolerance) << n << ' ' << rank << ' ' << k;
  EXPECT_EQ(out, again);
}

TEST(LowRankInverse, UndoesTheProduct) {
  for (const std::size_t n : {1u, 2u, 51u})
    for (const std::size_t rank : {0u, 1u, 20u})
      for (const std::size_t k : {1u, 3u, 20u})
        for (const bool scaled : {false, true})
          for (const double mu : {1e-6, 0.1}) expect_inverse(n, rank, k, mu, scaled);
  expect_inverse(4500, 130, 1, 0.5, true);
  expect_inverse(300, 250, 2, 0.5, true);
}

TEST(LowRankInverse, IsExactWhereTheFeaturesAreThoseOfTheKernel) {
  const Progress progress;
  for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64})
    for (const std::size_t n : {1u, 2u, 50u}) {
      const Points points = as_points(random_rows(n, 4, n), kind);
      const RowFeatures features = *RowFeatures::of(linear(), points, 1);
      LowRankInverse inverse(features, 1, progress);
      std::vector<double> s(n, 0.5);
      s[0] = 0;
      for (const std::size_t k : {1u, 3u}) {
        EXPECT_LT(inversion_error(inverse, linear(), points, {}, 0.1, k), 1e-11);
        EXPECT_LT(inversion_error(inverse, linear(), points, s, 0.1, k), 1e-11);
      }
    }
}

TEST(LowRankInverse, LeastNormWithoutARidge) {
  const Progress progress;
  auto rows = random_rows(30, 4, 3);
  for (auto& row : rows) row[3] = row[0] + row[1];  // one column too many
  const Points points = as_points(rows);
  const RowFeatures features = *RowFeatures::of(linear(), points, 1);
  LowRankInverse inverse(features, 1, progress);
  ASSERT_TRUE(inverse.prepare({}, 0));
  EXPECT_EQ(inverse.rank(), 3u);
  const std::vector<double> V = normal_numbers(30, 4), AV = system_product(linear(), points, {}, 0, V, 1);
  std::vector<double> back(30);
  inverse.apply(AV, 1, back);
  const std::vector<double> again = system_product(linear(), points, {}, 0, back, 1);
  double inner = 0, squares = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(again[i], AV[i], 1e-9);
    inner += back[i] * V[i];
    squares += back[i] * back[i];
  }
  EXPECT_NEAR(inner, squares, 1e-9);
}

struct Example {
  std::size_t n, k, rank;
  std::vector<double> F, s, u;  // rank × n, n × k, n × k

  Example(std::size_t rows, std::size_t outputs, std::size_t r)
      : n(rows), k(outputs), rank(r), F(r * rows), s(rows * outputs), u(rows * outputs) {
    Random random(n + 10 * k + 100 * rank);
    for (double& value : F) value = random.normal();
    for (double& value : s) value = random.uniform(0, 1);
    for (std::size_t i = 0; i < n; ++i) {  // of length 1, or 0
      double length = 0;
      for (std::size_t o = 0; o < k; ++o)
        u[i * k + o] = random.uniform(0, 1), length += u[i * k + o] * u[i * k + o];
      for (std::size_t o = 0; o < k; ++o) u[i * k + o] *= i % 4 == 3 ? 0 : 1 / std::sqrt(length);
    }
  }
  RowFactors factors() const { return {s, u, k}; }
  // (Bᵀ(FFᵀ ⊗ I)B + μI) V by its definition; V is n × k × m.
  std::vector<double> multiply(std::vector<double> V, std::size_t m, double mu) const {
    std::vector<double> out = V, inside = V;
    factors().apply(inside, m);
    const std::size_t columns = k * m;
    std::vector<double> product(V.size(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double entry = 0;
        for (std::size_t r = 0; r < rank; ++r) entry += F[r * n + i] * F[r * n + j];
        for (std::size_t c = 0; c < columns; ++c) product[i * columns + c] += entry * inside[j * columns + c];
      }
    factors().apply_transposed(product, m);
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = product[e] + mu * V[e];
    return out;
  }
};

TEST(CoupledInverse, UndoesTheProduct) {
  const Progress progress;
  for (const auto& [n, k, rank] : {std::tuple{1, 2, 1}, {7, 1, 3}, {12, 3, 5}, {40, 4, 9}}) {
    const Example example{std::size_t(n), std::size_t(k), std::size_t(rank)};
    const ColumnFeatures low(example.F.data(), example.rank, example.n, 1, progress);
    CoupledInverse inverse(low, 2, progress);  // its small matrix is made in float32
    ASSERT_TRUE(inverse.prepare(example.factors(), 0.3));
    for (const std::size_t m : {1u, 2u}) {
      Random random(m);
      std::vector<double> V(example.n * example.k * m), back(V.size());
      for (double& value : V) value = random.normal();
      inverse.apply(example.multiply(V, m, 0.3), example.k * m, back);
      for (std::size_t e = 0; e < V.size(); ++e)
        EXPECT_NEAR(back[e], V[e], 1e-4) << n << " " << k << " " << m;
    }
  }
}

TEST(CoupledInverse, IsNotMadeWhereItWouldBeTooLarge) {
  const Progress progress;
  const Example example(3, 2, 3001);
  const ColumnFeatures low(example.F.data(), example.rank, example.n, 1, progress);
  EXPECT_FALSE(CoupledInverse(low, 1, progress).prepare(example.factors(), 1));
}

}  // namespace
}  // namespace mercer
