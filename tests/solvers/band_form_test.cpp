// The inverse of A + cI through the band form against Gaussian elimination.
#include "solvers/band_form.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "elimination.hpp"

namespace mercer {
namespace {

// A = G diag(2^(−i/8)) Gᵀ, G n × n: eigenvalues that fall over some decades, the largest about 4n.
std::vector<double> falling(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> G(n * n), A(n * n, 0.0);
  for (double& value : G) value = random.normal();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < n; ++k)
        A[i * n + j] += G[i * n + k] * G[j * n + k] * std::exp2(-double(k) / 8);
      A[j * n + i] = A[i * n + j];
    }
  return A;
}

std::vector<double> inverse_of(std::vector<double> A, std::size_t n, double c) {
  std::vector<double> unit(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] += c, unit[i * n + i] = 1;
  return testing::eliminate(std::move(A), std::move(unit), n);
}

template <class T>
void expect_inverses(std::size_t n, double tolerance) {
  SCOPED_TRACE(n);
  const std::vector<double> A = falling(n, n), c{0.01, 1, 100};
  const BandForm<T> form(A, n, 1, {}), with_two(A, n, 2, {});
  std::vector<BandFactor> factors;
  for (const double shift : c) factors.push_back(form.factor(shift).value());
  const std::vector<double> diagonals = form.inverse_diagonals(factors, {});
  EXPECT_EQ(diagonals, with_two.inverse_diagonals(factors, {}));
  // One column of each c: where the right-hand sides are unit vectors, columns of the inverse.
  std::vector<double> unit(n * c.size(), 0.0), X(n * c.size()), X_two(n * c.size());
  std::vector<const BandFactor*> own;
  for (std::size_t q = 0; q < c.size(); ++q) unit[q * n / 4 * c.size() + q] = 1, own.push_back(&factors[q]);
  form.apply_inverse(own, unit, X);
  with_two.apply_inverse(own, unit, X_two);
  EXPECT_EQ(X, X_two);
  for (std::size_t q = 0; q < c.size(); ++q) {
    const std::vector<double> exact = inverse_of(A, n, c[q]);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(diagonals[q * n + i], exact[i * n + i], tolerance * exact[i * n + i]) << c[q];
      EXPECT_NEAR(X[i * c.size() + q], exact[i * n + q * n / 4], tolerance / c[q]) << c[q];
    }
  }
}

TEST(BandForm, GivesTheInverseOfEveryShift) {
  for (const std::size_t n : {1u, 2u, 5u, 31u, 32u, 33u, 64u, 65u, 130u, 259u})
    expect_inverses<double>(n, 1e-9);
}

// Where float32 alone would leave nothing of the smallest c: 1e-7 of the largest eigenvalue is below it, but
// not by much.
TEST(BandForm, InFloat32Too) {
  for (const std::size_t n : {32u, 33u, 64u, 65u, 130u, 289u}) expect_inverses<float>(n, 2e-3);
}

TEST(BandForm, OfADiagonalMatrixIsItself) {
  const std::size_t n = 70;
  std::vector<double> A(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] = double(i);
  const BandForm<double> form(A, n, 1, {});
  const std::vector<BandFactor> factors{form.factor(2).value()};
  const std::vector<double> diagonal = form.inverse_diagonals(factors, {});
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(diagonal[i], 1 / (double(i) + 2), 1e-14);
}

TEST(BandForm, HasNoFactorWhereTheShiftIsTooSmall) {
  const std::size_t n = 50;
  std::vector<double> A = falling(n, 3);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] -= 1;
  const BandForm<double> form(A, n, 1, {});
  EXPECT_FALSE(form.factor(0.5));
  EXPECT_TRUE(form.factor(1.5));
}

TEST(BandForm, CanBeStopped) {
  const std::vector<double> A = falling(200, 4);
  EXPECT_ANY_THROW(BandForm<double>(A, 200, 1, [](std::string_view, double) { return false; }));
}

}  // namespace
}  // namespace mercer
