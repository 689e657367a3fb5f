// Least squares over features against the same problem solved by elimination.
#include "solvers/normal_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "elimination.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

struct WeightedRows {
  std::size_t n, d, outputs;
  Points points = as_points(random_rows(n, d, n + d));
  std::vector<double> v, Y;

  WeightedRows(std::size_t rows, std::size_t columns, std::size_t targets)
      : n(rows), d(columns), outputs(targets) {
    Random random(rows);
    for (std::size_t i = 0; i < n; ++i) v.push_back(0.2 + random.uniform());
    for (std::size_t e = 0; e < n * outputs; ++e) Y.push_back(3 + random.normal());
  }
  RowFeatures features() const { return *RowFeatures::of(linear(), points, 1); }
};

TEST(NormalEquations, SolveLeastSquares) {
  for (const auto& [n, d, outputs] : {std::tuple{1, 1, 1}, {7, 2, 1}, {40, 5, 3}, {3000, 4, 2}})
    for (const bool bias : {false, true})
      for (const double c : {0.01, 2.0}) {
        const WeightedRows e{std::size_t(n), std::size_t(d), std::size_t(outputs)};
        const Progress progress;
        const auto found = NormalEquations(e.features(), e.v, e.Y, e.outputs, bias, 2, progress).solve(c);
        // [w, b] from one system of size d + 1, by elimination.
        const std::size_t size = e.d + bias;
        double loss = 0, norm = 0, weight = 0;
        for (std::size_t o = 0; o < e.outputs; ++o) {
          std::vector<double> A(size * size, 0), r(size, 0);
          for (std::size_t i = 0; i < e.n; ++i) {
            std::vector<double> x = e.points.row(i);
            if (bias) x.push_back(1);
            for (std::size_t a = 0; a < size; ++a) {
              r[a] += e.v[i] * x[a] * e.Y[i * e.outputs + o];
              for (std::size_t b = 0; b < size; ++b) A[a * size + b] += e.v[i] * x[a] * x[b];
            }
          }
          for (std::size_t a = 0; a < e.d; ++a) A[a * size + a] += c;
          const std::vector<double> w = ::mercer::testing::eliminate(A, r);
          for (std::size_t a = 0; a < e.d; ++a) {
            EXPECT_NEAR(found.W[o * e.d + a], w[a], 1e-9 * (1 + std::abs(w[a])));
            norm += w[a] * w[a];
          }
          if (bias) {
            EXPECT_NEAR(found.b[o], w[e.d], 1e-9 * (1 + std::abs(w[e.d])));
          }
          weight = 0;
          for (std::size_t i = 0; i < e.n; ++i) {
            double f = bias ? w[e.d] : 0;
            for (std::size_t a = 0; a < e.d; ++a) f += w[a] * e.points.row(i)[a];
            loss += e.v[i] * std::pow(e.Y[i * e.outputs + o] - f, 2);
            weight += e.v[i];
          }
        }
        EXPECT_NEAR(found.loss, loss / weight, 1e-9 * (1 + loss / weight));
        EXPECT_NEAR(found.norm, norm, 1e-9 * (1 + norm));
        EXPECT_LT(found.residual, 1e-12);
        EXPECT_TRUE(found.unique);
      }
}

// tr S(SᵀS + cI)⁻¹Sᵀ: how f changes where y does, row by row.
TEST(NormalEquations, CountDegreesOfFreedom) {
  for (const bool bias : {false, true}) {
    const WeightedRows e(25, 3, 1);
    const Progress progress;
    const auto at = [&](const std::vector<double>& Y) {
      return NormalEquations(e.features(), e.v, Y, 1, bias, 1, progress).solve(0.7);
    };
    const auto f = [&](const NormalEquations::Solution& s, std::size_t i) {
      double sum = s.b[0];
      for (std::size_t j = 0; j < 3; ++j) sum += s.W[j] * e.points.row(i)[j];
      return sum;
    };
    const auto before = at(e.Y);
    double trace = 0;
    for (std::size_t i = 0; i < e.n; ++i) {
      std::vector<double> Y = e.Y;
      Y[i] += 1;
      trace += f(at(Y), i) - f(before, i);
    }
    EXPECT_NEAR(before.degrees_of_freedom, trace, 1e-9);
  }
}

TEST(NormalEquations, TakeTheLeastNormWhereNothingIsAdded) {
  auto rows = random_rows(30, 3, 5);
  for (auto& row : rows) row[2] = row[0];  // twice the same column
  const Points points = as_points(rows);
  std::vector<double> v(30, 1), Y;
  for (const auto& row : rows) Y.push_back(4 * row[0] - row[1]);
  const Progress progress;
  const auto found =
      NormalEquations(*RowFeatures::of(linear(), points, 1), v, Y, 1, false, 1, progress).solve(0);
  EXPECT_FALSE(found.unique);
  EXPECT_NEAR(found.W[0], 2, 1e-9);
  EXPECT_NEAR(found.W[2], 2, 1e-9);
  EXPECT_NEAR(found.W[1], -1, 1e-9);
  EXPECT_NEAR(found.loss, 0, 1e-12);
}

// Each row left out in turn, and the problem solved again.
TEST(NormalEquations, TellWhatLeavingRowsOutGives) {
  for (const auto& [n, outputs] : {std::pair{12, 1}, {300, 2}})
    for (const bool bias : {false, true}) {
      const WeightedRows e{std::size_t(n), 3, std::size_t(outputs)};
      const Progress progress;
      const RowFeatures features = e.features();
      const NormalEquations equations(features, e.v, e.Y, e.outputs, bias, 2, progress);
      const std::vector<double> penalties{0.05, 3};
      const auto points = equations.path(penalties, features, e.v, e.Y, progress);
      double square = 0, weight = 0;
      for (std::size_t i = 0; i < e.n; ++i) {
        for (const double x : e.points.row(i)) square += e.v[i] * x * x;
        weight += e.v[i];
      }
      EXPECT_NEAR(equations.mean_square(), square / weight, 1e-12 * square);
      for (std::size_t l = 0; l < penalties.size(); ++l) {
        double errors = 0;
        for (std::size_t i = 0; i < e.n; ++i) {
          std::vector<std::size_t> others;
          std::vector<double> v, Y;
          for (std::size_t j = 0; j < e.n; ++j) {
            if (j == i) continue;
            others.push_back(j);
            v.push_back(e.v[j]);
            for (std::size_t o = 0; o < e.outputs; ++o) Y.push_back(e.Y[j * e.outputs + o]);
          }
          const auto fit = NormalEquations(features.select(others), v, Y, e.outputs, bias, 1, progress)
                               .solve(penalties[l]);
          for (std::size_t o = 0; o < e.outputs; ++o) {
            double f = fit.b[o];
            for (std::size_t j = 0; j < e.d; ++j) f += fit.W[o * e.d + j] * e.points.row(i)[j];
            errors += e.v[i] * std::pow(e.Y[i * e.outputs + o] - f, 2);
          }
        }
        const double expected = errors / (weight * double(e.outputs));
        EXPECT_NEAR(points[l].leave_one_out, expected, 1e-8 * expected);
        const auto whole = equations.solve(penalties[l]);
        EXPECT_NEAR(points[l].degrees_of_freedom, whole.degrees_of_freedom, 1e-9);
        const double left = 1 - whole.degrees_of_freedom / double(e.n);
        EXPECT_NEAR(points[l].generalised, whole.loss / double(e.outputs) / (left * left), 1e-8 * expected);
      }
    }
}

}  // namespace
}  // namespace mercer
