#include "cluster/ring_kernel.hpp"

#include <gtest/gtest.h>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

// K·V of all rows by definition, and its rows of this rank.
std::vector<double> expected_product(const Communicator& ranks, const Kernel& kernel, const Points& all,
                                     const std::vector<double>& V, std::size_t k) {
  const std::size_t n = all.rows();
  std::vector<double> K(n * n), out(n * k, 0.0);
  KernelOperator<double>(kernel, all, all, {.threads = 1}).matrix(K);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < k; ++c) out[i * k + c] += K[i * n + j] * V[j * k + c];
  return share_of(ranks, out, k);
}

template <class T>
void expect_products(const Points& all, std::size_t k, std::size_t memory, double tolerance) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.3) + 0.1*linear");
  const std::vector<double> V = random_numbers(all.rows() * k);
  const RingKernel<T> K(ranks, kernel, share_of(ranks, all), {.threads = 1, .memory = memory});
  EXPECT_EQ(K.rows(), all.rows());
  const std::vector<double> expected = expected_product(ranks, kernel, all, V, k),
                            own = share_of(ranks, V, k);
  std::vector<double> out(own.size(), 99.0);
  const Traffic before = ranks.traffic();
  K.multiply(own, k, out);
  EXPECT_EQ(ranks.traffic() - before, K.cost(k));
  for (std::size_t e = 0; e < out.size(); ++e) EXPECT_NEAR(out[e], expected[e], tolerance) << e;
}

TEST(RingKernel, MultipliesAsTheWholeMatrix) {
  for (const std::size_t memory : {std::size_t(0), std::size_t(1) << 30})
    for (const std::size_t k : {1, 3}) {
      expect_products<double>(random_rows(301, 4), k, memory, 1e-10);
      expect_products<float>(random_rows(301, 4), k, memory, 1e-3);
    }
}

TEST(RingKernel, TakesSparseRows) { expect_products<double>(random_rows(64, 5).to_sparse(), 2, 0, 1e-10); }

TEST(RingKernel, TakesFewerRowsThanRanks) {
  for (const std::size_t rows : {1, 2, 3}) expect_products<double>(random_rows(rows, 3), 2, 1 << 20, 1e-12);
  expect_products<double>(random_rows(2, 3), 1, 0, 1e-12);
}

// The cost model of docs/cluster.md: ⌊P/2⌋ steps, V out and sums back, n/P × k numbers each.
TEST(RingKernel, SendsWhatTheCostModelSays) {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::size_t P = std::size_t(ranks.size()), rows = 12 * P, k = 2;
  const Points all = random_rows(rows, 3);
  const RingKernel<double> held(ranks, Kernel::parse("rbf(gamma=1)"), share_of(ranks, all),
                                {.threads = 1, .memory = 1 << 24});
  ASSERT_TRUE(held.held());
  const Traffic before = ranks.traffic();
  std::vector<double> V(12 * k, 1.0), out(12 * k);
  held.multiply(V, k, out);
  EXPECT_EQ(ranks.traffic() - before, (Traffic{2 * (P / 2), 2 * (P / 2) * 12 * k * 8, 0, 0}));
  const RingKernel<double> anew(ranks, Kernel::parse("rbf(gamma=1)"), share_of(ranks, all), {.threads = 1});
  const Traffic then = ranks.traffic();
  anew.multiply(V, k, out);
  const std::size_t rows_message = 32 + 12 * 3 * 8;  // a head of four numbers, and the rows
  EXPECT_EQ(ranks.traffic() - then, (Traffic{3 * (P / 2), (P / 2) * (2 * 12 * k * 8 + rows_message), 0, 0}));
}

TEST(RingKernel, SharesTheWorkEvenly) {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::size_t n = 240;
  const RingKernel<float> K(ranks, Kernel::parse("rbf(gamma=1)"), share_of(ranks, random_rows(n, 3)),
                            {.threads = 1});
  const std::vector<double> V(K.own_rows(), 1.0);
  std::vector<double> out(V.size());
  K.multiply(V, 1, out);
  // Half of the matrix over all ranks; diagonal blocks of the symmetric product are whole tiles.
  EXPECT_LE(double(K.evaluations()), 1.5 * double(n * n) / 2 / ranks.size() + 60 * 60);
}

}  // namespace
}  // namespace mercer::cluster
