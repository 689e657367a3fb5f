// Of kernel matrices, against the inverse from a Cholesky factor in float64.
#include "solvers/shifted_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {
namespace {

Buffer<double> gram(const Kernel& kernel, std::size_t n, std::size_t d) {
  Buffer<double> K(n * n);
  KernelOperator<double>(kernel, as_points(random_rows(n, d, 5)), {.threads = 1}).matrix(K);
  return K;
}

struct Compared {
  double worst_solution = 0, root_mean_square = 0, mean = 0;  // the last two: relative, of the diagonal
};

Compared compare(const Kernel& kernel, std::size_t n, std::size_t d, double c, bool in_float32) {
  const ShiftedInverse shifted(gram(kernel, n, d), n, c, 1, {});
  EXPECT_TRUE(shifted.possible());
  EXPECT_EQ(shifted.in_float32(), in_float32) << kernel.text();
  Random random(2);
  std::vector<double> R(2 * n);
  for (double& value : R) value = random.normal();
  const std::vector<double> penalties{c, 10 * c};
  const auto values = shifted.at(penalties, R, 2, {});
  EXPECT_EQ(values.size(), 2u);
  const std::vector<double> alone = shifted.solve(c, R, 2, 1e-10);
  Buffer<double> A = gram(kernel, n, d), scratch(n * n);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] += c;
  EXPECT_TRUE(cholesky_factor(A.data(), n, n, 1, {}));
  cholesky_inverse(A.data(), n, scratch.data(), 1, {});
  Compared result;
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double error = values[0].diagonal[i] / A[i * n + i] - 1;
    result.root_mean_square += error * error / double(n);
    result.mean += error / double(n);
    for (std::size_t q = 0; q < 2; ++q) {
      double exact = 0;
      for (std::size_t j = 0; j < n; ++j) exact += A[i * n + j] * R[2 * j + q];
      size = std::max(size, std::abs(exact));
      result.worst_solution = std::max({result.worst_solution, std::abs(values[0].X[2 * i + q] - exact),
                                        std::abs(alone[2 * i + q] - exact)});
    }
  }
  result.worst_solution /= size;
  result.root_mean_square = std::sqrt(result.root_mean_square);
  return result;
}

TEST(ShiftedInverse, IsAsGoodAsFloat64OfFewRows) {
  for (const std::size_t n : {1u, 2u, 40u, 200u}) {
    const Compared found = compare(rbf({.gamma = 0.3}), n, 4, 1e-3, false);
    EXPECT_LT(found.worst_solution, 1e-6) << n;
    EXPECT_LT(found.root_mean_square, 1e-9) << n;
  }
}

TEST(ShiftedInverse, OfManyRowsTheDiagonalHasTheErrorsOfFloat32) {
  for (const auto& [kernel, d] : {std::pair{rbf({.gamma = 1. / 32}), 32u}, {rbf({.gamma = 0.125}), 8u}}) {
    const Compared found = compare(kernel, 1100, d, 1e-4, true);
    EXPECT_LT(found.worst_solution, 1e-5) << d;
    EXPECT_LT(found.root_mean_square, 5e-3) << d;
    EXPECT_LT(std::abs(found.mean), 2e-4) << d;
  }
}

// The linear kernel of large points: eigenvalues of 1e8 beside 0.
TEST(ShiftedInverse, GoesToFloat64WhereFloat32IsNotEnough) {
  const Compared found = compare(Kernel::parse("poly(degree=3, offset=3)"), 1100, 12, 1e-7, false);
  EXPECT_LT(found.root_mean_square, 1e-3);
}

TEST(ShiftedInverse, SaysWhereTheMatrixIsIndefinite) {
  Buffer<double> A(9, 0.0);
  A[0] = 1, A[4] = -1, A[8] = 2;
  EXPECT_FALSE(ShiftedInverse(std::move(A), 3, 0.5, 1, {}).possible());
}

}  // namespace
}  // namespace mercer
