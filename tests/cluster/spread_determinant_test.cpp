#include <gtest/gtest.h>

#include <cmath>

#include "base/lapack.hpp"
#include "cluster/spread_points.hpp"
#include "cluster/spread_system.hpp"

namespace mercer::cluster {
namespace {

double exact_log_determinant(const Kernel& kernel, const Points& all, const std::vector<double>& s,
                             double c) {
  const std::size_t n = all.rows();
  std::vector<double> A(n * n);
  KernelOperator<double>(kernel, all, all, {.threads = 1}).matrix(A);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] = s[i] * A[i * n + j] * s[j] + (i == j ? c : 0);
  EXPECT_TRUE(lapack::potrf(A.data(), n, n));
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += 2 * std::log(A[i * n + i]);
  return sum;
}

void expect_determinant(const char* text, std::size_t rows, double c, bool weighted, std::size_t memory) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Kernel kernel = Kernel::parse(text);
  const Points all = random_rows(rows, 4);
  std::vector<double> s(rows, 1.0);
  for (std::size_t i = 0; weighted && i < rows; ++i) s[i] = 0.5 + double(i % 3);
  SpreadSystem system(ranks, kernel, share_of(ranks, all), {.threads = 1, .memory = memory});
  const auto own = share_of(ranks, s, 1);
  int products = 0;
  const auto found = system.log_determinant(
      weighted ? std::span<const double>(own) : std::span<const double>(), c, 16, [&] { ++products; });
  const double exact = exact_log_determinant(kernel, all, s, c);
  EXPECT_NEAR(found.value, exact, 4 * found.error + 1e-6 * std::abs(exact) + 1e-9);
  EXPECT_LT(found.error, 0.05 * double(rows));
  EXPECT_GE(products, 1);
}

// Within four standard errors, which the seed decides once and for all.
TEST(SpreadDeterminant, IsThatOfCholesky) {
  expect_determinant("rbf(gamma=0.5)", 300, 0.1, false, 1 << 26);
  expect_determinant("rbf(gamma=0.5)", 300, 0.1, true, 1 << 26);
  expect_determinant("rbf(gamma=2)", 200, 0.01, false, 1 << 15);  // a preconditioner of few columns
}

TEST(SpreadDeterminant, TakesFewerRowsThanRanks) {
  expect_determinant("rbf(gamma=0.5)", 1, 0.3, false, 1 << 20);
  expect_determinant("rbf(gamma=0.5)", 3, 0.3, true, 1 << 20);
}

// Of a kernel of rank 4 nothing is left to estimate but rounding.
TEST(SpreadDeterminant, IsExactWhereThePreconditionerIs) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(120, 4);
  SpreadSystem system(ranks, Kernel::parse("linear"), share_of(ranks, all), {.threads = 1});
  const double exact =
      exact_log_determinant(Kernel::parse("linear"), all, std::vector<double>(120, 1.0), 0.5);
  EXPECT_NEAR(system.log_determinant({}, 0.5, 8).value, exact, 1e-3 * std::abs(exact));
}

}  // namespace
}  // namespace mercer::cluster
