#include "cluster/spread_factor.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

SpreadFactor factor_of(const Communicator& ranks, const Kernel& kernel, const Points& all, std::size_t rank) {
  return SpreadFactor(ranks, kernel, share_of(ranks, all),
                      {.most_rank = rank, .c = 1e-9, .costs = {.n = all.rows()}, .threads = 1});
}

// A kernel of rank 3: with three pivots F Fᵀ is K, and the inverse is that of the system.
TEST(SpreadFactor, IsTheInverseWhereKHasThatRank) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(40, 3);
  const Kernel kernel = Kernel::parse("linear");
  SpreadFactor factor = factor_of(ranks, kernel, all, 10);
  EXPECT_EQ(factor.rank(), 3u);
  EXPECT_LE(factor.trace_left(), 1e-5 * factor.trace());
  std::vector<double> s(40);
  for (std::size_t i = 0; i < 40; ++i) s[i] = 0.5 + double(i % 3);
  const double c = 0.7;
  ASSERT_TRUE(factor.prepare(share_of(ranks, s, 1), c));
  // (S K S + cI) applied by definition to what the inverse gives.
  const std::vector<double> V = random_numbers(80);
  std::vector<double> own(share_of(ranks, V, 2).size());
  factor.apply(share_of(ranks, V, 2), 2, own);
  const std::vector<double> X = ranks.gather(std::span<const double>(own), true);
  std::vector<double> K(40 * 40);
  KernelOperator<double>(kernel, all, all, {.threads = 1}).matrix(K);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t q = 0; q < 2; ++q) {
      double sum = c * X[i * 2 + q];
      for (std::size_t j = 0; j < 40; ++j) sum += s[i] * K[i * 40 + j] * s[j] * X[j * 2 + q];
      EXPECT_NEAR(sum, V[i * 2 + q], 1e-3);
    }
}

TEST(SpreadFactor, PivotsAreRowsOfAllRanksOnceEach) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(200, 4);
  const SpreadFactor factor = factor_of(ranks, Kernel::parse("rbf(gamma=0.5)"), all, 60);
  const std::set<std::size_t> distinct(factor.pivots().begin(), factor.pivots().end());
  EXPECT_EQ(distinct.size(), factor.rank());
  EXPECT_LE(factor.rank(), 60u);
  EXPECT_LT(*distinct.rbegin(), 200u);
  EXPECT_EQ(factor.trace(), 200);
  // What is left of the trace, by definition: the Schur complement of the pivots.
  EXPECT_LT(factor.trace_left(), 0.9 * factor.trace());
  const std::vector<std::size_t> pivots(factor.pivots().begin(), factor.pivots().end());
  const std::size_t m = pivots.size();
  std::vector<double> A(m * m), B(m * 200);
  const Points chosen = all.select_rows(pivots);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  KernelOperator<double>(kernel, chosen, chosen, {.threads = 1}).matrix(A);
  KernelOperator<double>(kernel, chosen, all, {.threads = 1}).matrix(B);
  double left = 200;
  for (std::size_t p = 0; p < m; ++p) {  // elimination, pivot by pivot
    for (std::size_t j = 0; j < 200; ++j) left -= B[p * 200 + j] * B[p * 200 + j] / A[p * m + p];
    for (std::size_t i = p + 1; i < m; ++i) {
      const double f = A[i * m + p] / A[p * m + p];
      for (std::size_t j = 0; j < m; ++j) A[i * m + j] -= f * A[p * m + j];
      for (std::size_t j = 0; j < 200; ++j) B[i * 200 + j] -= f * B[p * 200 + j];
    }
  }
  EXPECT_NEAR(factor.trace_left(), left, 1e-3 * 200);
}

}  // namespace
}  // namespace mercer::cluster
