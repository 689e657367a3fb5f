#include "cluster/spread_eigen.hpp"

#include <gtest/gtest.h>

#include "cluster/ring_kernel.hpp"
#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

// Against the dense eigenvalues of one machine (LAPACK).
void expect_pairs(bool centred, bool scaled) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(90, 3);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.4)");
  const std::size_t count = 4;
  std::vector<double> scale;
  for (std::size_t i = 0; scaled && i < all.rows(); ++i) scale.push_back(0.5 + double(i % 4));
  const KernelEigen expected = kernel_eigenpairs(
      kernel, all, count,
      {.centred = centred, .scale = scale, .threads = 1, .way = KernelEigenOptions::Way::dense});
  const KernelEigen found =
      spread_eigenpairs(ranks, kernel, share_of(ranks, all), count,
                        {.centred = centred,
                         .scale = scaled ? share_of(ranks, scale, 1) : std::vector<double>(),
                         .tolerance = 1e-9,
                         .threads = 1});
  EXPECT_TRUE(found.pairs.converged);
  ASSERT_EQ(found.pairs.values.size(), count);
  EXPECT_NEAR(found.trace, expected.trace, 1e-10 * expected.trace);
  EXPECT_NEAR(found.mass, expected.mass, 1e-10 * expected.mass);
  const auto vectors = share_of(ranks, expected.pairs.vectors, count);
  for (std::size_t c = 0; c < count; ++c)
    EXPECT_NEAR(found.pairs.values[c], expected.pairs.values[c], 1e-9 * expected.pairs.values[0]);
  ASSERT_EQ(found.pairs.vectors.size(), vectors.size());
  for (std::size_t e = 0; e < vectors.size(); ++e)
    EXPECT_NEAR(std::abs(found.pairs.vectors[e]), std::abs(vectors[e]), 1e-6);
  if (!centred) return;
  const auto means = share_of(ranks, expected.means, 1);
  for (std::size_t i = 0; i < means.size(); ++i) EXPECT_NEAR(found.means[i], means[i], 1e-12);
}

TEST(SpreadEigen, FindsWhatLapackFinds) {
  expect_pairs(false, false);
  expect_pairs(true, false);
  expect_pairs(true, true);
}

// A product with one column, and with centring a sum of one number before and after it: docs/cluster.md.
TEST(SpreadEigen, AProductSendsWhatTheCostModelSays) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points own = share_of(ranks, random_rows(120, 4));
  const Kernel kernel = Kernel::parse("rbf(gamma=0.3)");
  for (const bool centred : {false, true})
    for (const std::size_t memory : {std::size_t(0), std::size_t(1) << 26}) {
      const RingKernel<double> K(ranks, kernel, own, {.threads = 1, .memory = memory});
      Traffic expected = K.cost(1);
      expected.collectives = centred ? 2 : 0;
      expected.shared_bytes = centred ? 16 : 0;
      std::vector<Traffic> at;
      spread_eigenpairs(ranks, kernel, own, 3,
                        {.centred = centred, .memory = memory, .threads = 1, .each_product = [&] {
                           at.push_back(ranks.traffic());
                         }});
      ASSERT_GE(at.size(), 3u);
      for (std::size_t i = 0; i + 2 < at.size(); ++i) EXPECT_EQ(at[i + 1] - at[i], expected);
    }
}

// What it offers to begin with finds the same pairs, with fewer products than a random vector.
TEST(SpreadEigen, BeginsWhereItWas) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points own = share_of(ranks, random_rows(150, 4));
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  std::vector<double> start(own.rows(), 1.0);
  SpreadEigenOptions options{.tolerance = 1e-9, .threads = 1};
  options.start = start;
  options.each_restart = [&](std::span<const double> sum) { start.assign(sum.begin(), sum.end()); };
  const KernelEigen first = spread_eigenpairs(ranks, kernel, own, 3, options);
  options.start = start;
  const KernelEigen again = spread_eigenpairs(ranks, kernel, own, 3, options);
  EXPECT_TRUE(again.pairs.converged);
  EXPECT_LE(again.pairs.products, first.pairs.products);
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(again.pairs.values[c], first.pairs.values[c], 1e-8 * first.pairs.values[0]);
}

}  // namespace
}  // namespace mercer::cluster
