#include "mercer/kernels/random_walk.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

using testing::Graph;
using testing::graphs;
using testing::random_graphs;

/// How many pairs of walks of `steps` more steps begin at u and s.
double walks(const Graph& x, int u, const Graph& z, int s, int steps) {
  if (x.labels[std::size_t(u)] != z.labels[std::size_t(s)]) return 0;
  if (steps == 0) return 1;
  double count = 0;
  for (int v = 0; v < x.nodes(); ++v)
    for (int t = 0; t < z.nodes(); ++t)
      if (x.edge(u, v) >= 0 && x.edge(u, v) == z.edge(s, t)) count += walks(x, v, z, t, steps - 1);
  return count;
}

double up_to(const Graph& x, const Graph& z, double decay, int steps) {
  double sum = 0, weight = 1;
  for (int l = 0; l <= steps; ++l, weight *= decay)
    for (int u = 0; u < x.nodes(); ++u)
      for (int s = 0; s < z.nodes(); ++s) sum += weight * walks(x, u, z, s, l);
  return sum;
}

/// 1ᵀ(I − decay·W)⁻¹1 by elimination on the product graph with all pairs of nodes.
double all_lengths(const Graph& x, const Graph& z, double decay) {
  const int n = x.nodes() * z.nodes();
  std::vector<double> A(std::size_t(n * n)), p(std::size_t(n), 0.0);
  const auto matches = [&](int u, int s) { return x.labels[std::size_t(u)] == z.labels[std::size_t(s)]; };
  for (int u = 0; u < x.nodes(); ++u)
    for (int s = 0; s < z.nodes(); ++s) {
      const int row = u * z.nodes() + s;
      A[std::size_t(row * n + row)] = 1;
      if (!matches(u, s)) continue;
      p[std::size_t(row)] = 1;
      for (int v = 0; v < x.nodes(); ++v)
        for (int t = 0; t < z.nodes(); ++t)
          if (matches(v, t) && x.edge(u, v) >= 0 && x.edge(u, v) == z.edge(s, t))
            A[std::size_t(row * n + v * z.nodes() + t)] -= decay;
    }
  std::vector<int> pivots(std::size_t(n) + 1);
  const std::vector<double> right = p;
  if (n > 0) {
    EXPECT_EQ(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, A.data(), n, pivots.data(), p.data(), 1), 0);
  }
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += right[i] * p[i];
  return sum;
}

TEST(RandomWalk, CountsWalksUpToALength) {
  const auto list = random_graphs(9, 4, 7);
  for (const int steps : {1, 2, 3})
    testing::expect_definition(
        "random_walk(decay=0.5, steps=" + std::to_string(steps) + ")", list,
        [&](const Graph& x, const Graph& z) { return up_to(x, z, 0.5, steps); }, 1e-13);
}

TEST(RandomWalk, SumsWalksOfAllLengths) {
  testing::expect_definition(
      "random_walk(decay=0.02)", random_graphs(14, 7, 8),
      [](const Graph& x, const Graph& z) { return all_lengths(x, z, 0.02); }, 1e-12);
}

TEST(RandomWalk, IsSymmetricBitForBit) {
  const Objects x = graphs(random_graphs(12, 6, 9));
  const Points points(x);
  const std::vector<double> K = testing::gram_of("random_walk", x);
  std::vector<double> single(1);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) {
      RandomWalk{}.pairs(x, {i, i + 1}, x, {j, j + 1}, single.data());
      EXPECT_EQ(single[0], K[i * 12 + j]);
      EXPECT_EQ(K[j * 12 + i], K[i * 12 + j]);
    }
}

/// A ring with labels of one kind has ρ(W) = 2·2 with itself: decay 1/4 is where the sum begins to diverge.
TEST(RandomWalk, RefusesADecayForWhichTheSumDiverges) {
  const Graph ring{{0, 0, 0, 0, 0}, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 0, 0}}};
  const Objects x = graphs({Graph{{0}, {}}, ring});
  for (const char* decay : {"0.25", "0.2501", "0.3", "1", "7", "1e300"})
    EXPECT_NE(refusal(ErrorKind::usage,
                      [&] { testing::gram_of(std::string("random_walk(decay=") + decay + ")", x); })
                  .find("graphs 2 and 2 does not converge; below 0.25 it does"),
              std::string::npos)
        << decay;
  const double decay = 0.2499;
  EXPECT_NEAR(testing::gram_of("random_walk(decay=0.2499)", x)[3], 25 / (1 - 4 * decay), 1e-6);
}

/// The largest eigenvalue of W for a graph with itself.
double radius(const Graph& x) {
  const int n = x.nodes() * x.nodes();
  std::vector<double> W(std::size_t(n * n)), eigenvalues(std::size_t(n) + 1);
  const auto matches = [&](int u, int s) { return x.labels[std::size_t(u)] == x.labels[std::size_t(s)]; };
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const int u = row / x.nodes(), s = row % x.nodes(), v = column / x.nodes(), t = column % x.nodes();
      W[std::size_t(row * n + column)] =
          matches(u, s) && matches(v, t) && x.edge(u, v) >= 0 && x.edge(u, v) == x.edge(s, t);
    }
  if (n > 0) {
    EXPECT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, W.data(), n, eigenvalues.data()), 0);
  }
  return n > 0 ? eigenvalues[std::size_t(n) - 1] : 0;
}

TEST(RandomWalk, KnowsWhereTheSumConverges) {
  for (const Graph& graph : random_graphs(30, 6, 10))
    for (const double share : {0.5, 0.999, 1.001, 1.5, 4.0}) {
      const double largest = radius(graph);
      if (largest == 0) continue;
      const Objects x = graphs({graph});
      double value = 0;
      const std::string said = refusal(ErrorKind::usage, [&] {
        RandomWalk{.decay = share / largest}.pairs(x, {0, 1}, x, {0, 1}, &value);
      });
      EXPECT_EQ(said == "no error", share < 1) << share << " " << said;
    }
}

TEST(RandomWalk, OfNothingIsNothingAndOfOneNodeIsOne) {
  const Objects x = graphs({Graph{}, Graph{{1}, {}}, Graph{{2}, {}}, Graph{{1, 1}, {}}});
  EXPECT_EQ(testing::gram_of("random_walk", x),
            (std::vector<double>{0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 2, 0, 4}));
}

TEST(RandomWalk, RefusesGraphsWhoseProductIsTooLarge) {
  const Graph large{std::vector<int>(8193), {}};
  EXPECT_EQ(refusal(ErrorKind::budget, [&] { testing::gram_of("random_walk", graphs({large})); }),
            "random_walk: the product of a graph of 8193 nodes and one of 8193 is too large; use wl");
}

}  // namespace
}  // namespace mercer
