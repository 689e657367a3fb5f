#include "solvers/growing_triangle.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mercer {
namespace {

// LLᵀ, row-major, from the numbers of its columns.
std::vector<double> product(const GrowingTriangle& triangle) {
  const std::size_t n = triangle.size();
  std::vector<double> numbers, L(n * n, 0.0), A(n * n, 0.0);
  triangle.append_to(numbers);
  std::size_t next = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) L[i * n + j] = numbers[next++];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < n; ++l) A[i * n + j] += L[i * n + l] * L[j * n + l];
  return A;
}

TEST(GrowingTriangle, GrowsTurnsAndSolves) {
  Random random(1);
  GrowingTriangle triangle;
  std::vector<double> A;  // what LLᵀ is
  for (std::size_t n = 0; n < 9; ++n) {
    std::vector<double> row(n);
    for (double& value : row) value = random.normal();
    triangle.append(row, n == 2 ? 0 : random.uniform(0.5, 2));
    std::vector<double> x(n + 1), before = product(triangle);
    for (double& value : x) value = random.normal();
    std::vector<double> used = x;
    triangle.rotate_in(used);
    A = product(triangle);
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j)
        EXPECT_NEAR(A[i * (n + 1) + j], before[i * (n + 1) + j] + x[i] * x[j], 1e-12);
    std::vector<double> y = x;
    triangle.solve(y);
    triangle.solve_transposed(y);
    for (std::size_t i = 0; i <= n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j <= n; ++j) sum += A[i * (n + 1) + j] * y[j];
      EXPECT_NEAR(sum, x[i], 1e-9);
    }
    std::vector<double> numbers, again;
    triangle.append_to(numbers);
    GrowingTriangle::of(numbers, n + 1).append_to(again);
    EXPECT_EQ(numbers, again);
  }
}

}  // namespace
}  // namespace mercer
