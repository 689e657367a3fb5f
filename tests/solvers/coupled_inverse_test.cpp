#include "solvers/coupled_inverse.hpp"

#include <gtest/gtest.h>

#include "operators/column_features.hpp"

#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

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
    const ColumnFeatures<double> low(example.F.data(), example.rank, example.n, 1, progress);
    CoupledInverse inverse(low, 2, progress);
    ASSERT_TRUE(inverse.prepare(example.factors(), 0.3));
    for (const std::size_t m : {1u, 2u}) {
      Random random(m);
      std::vector<double> V(example.n * example.k * m), back(V.size());
      for (double& value : V) value = random.normal();
      inverse.apply(example.multiply(V, m, 0.3), example.k * m, back);
      for (std::size_t e = 0; e < V.size(); ++e)
        EXPECT_NEAR(back[e], V[e], 1e-9) << n << " " << k << " " << m;
    }
  }
}

TEST(CoupledInverse, IsNotMadeWhereItWouldBeTooLarge) {
  const Progress progress;
  const Example example(3, 2, 3001);
  const ColumnFeatures<double> low(example.F.data(), example.rank, example.n, 1, progress);
  EXPECT_FALSE(CoupledInverse(low, 1, progress).prepare(example.factors(), 1));
}

}  // namespace
}  // namespace mercer
