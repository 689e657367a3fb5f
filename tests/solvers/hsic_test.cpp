#include "mercer/hsic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Square = std::vector<std::vector<double>>;

Square hsic_values(const Kernel& kernel, const Points& points) {
  const std::size_t n = points.rows();
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel, points).matrix(K);
  Square rows;
  for (std::size_t i = 0; i < n; ++i) rows.emplace_back(K.begin() + i * n, K.begin() + (i + 1) * n);
  return rows;
}

// Gretton et al. 2008 as three sums: (1/n²)Σ k·l + (1/n⁴)Σ k·Σ l − (2/n³)Σᵢ Σⱼ kᵢⱼ Σ_q lᵢ_q.
double hsic_by_sums(const Square& K, const Square& L, const std::vector<std::size_t>& order) {
  const std::size_t n = K.size();
  double both = 0, k_all = 0, l_all = 0, rows = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double k_row = 0, l_row = 0;
    for (std::size_t j = 0; j < n; ++j) {
      both += K[i][j] * L[order[i]][order[j]];
      k_row += K[i][j], l_row += L[order[i]][order[j]];
    }
    k_all += k_row, l_all += l_row, rows += k_row * l_row;
  }
  const double m = double(n);
  return both / (m * m) + k_all * l_all / std::pow(m, 4) - 2 * rows / std::pow(m, 3);
}

// Song et al. 2012 as its definition, a mean over tuples of four different rows.
double hsic_by_tuples(const Square& K, const Square& L) {
  const std::size_t n = K.size();
  double pairs = 0, threes = 0, fours = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      pairs += K[i][j] * L[i][j];
      for (std::size_t q = 0; q < n; ++q) {
        if (q == i || q == j) continue;
        threes += K[i][j] * L[i][q];
        for (std::size_t r = 0; r < n; ++r)
          if (r != i && r != j && r != q) fours += K[i][j] * L[q][r];
      }
    }
  const double m = double(n);
  return pairs / (m * (m - 1)) + fours / (m * (m - 1) * (m - 2) * (m - 3)) -
         2 * threes / (m * (m - 1) * (m - 2));
}

Points noisy_targets(const Points& x, double noise, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> y;
  for (std::size_t i = 0; i < x.rows(); ++i)
    y.push_back({std::sin(3 * x.row(i)[0]) + noise * random.normal()});
  return Points(y);
}

const Kernel of_rows = Kernel::parse("rbf(gamma=0.5)"), of_targets = Kernel::parse("rbf(gamma=2)");

TEST(Hsic, IsItsSums) {
  for (const std::size_t n : {2u, 3u, 4u, 11u}) {
    const Points x = as_points(random_rows(n, 3, 2)), y = noisy_targets(x, 0.3, 5);
    const HsicTest test = hsic_test(of_rows, x, of_targets, y, {.permutations = 0});
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    const Square K = hsic_values(of_rows, x), L = hsic_values(of_targets, y);
    EXPECT_NEAR(test.biased, hsic_by_sums(K, L, order), 1e-13);
    EXPECT_NEAR(test.alignment,
                hsic_by_sums(K, L, order) / std::sqrt(hsic_by_sums(K, K, order) * hsic_by_sums(L, L, order)),
                1e-10);
    EXPECT_EQ(test.unbiased.has_value(), n >= 4);
    if (n >= 4) {
      EXPECT_NEAR(*test.unbiased, hsic_by_tuples(K, L), 1e-13);
    }
    EXPECT_FALSE(test.p_value);
  }
}

// The p-value from permutations drawn as the test draws them, each by the three sums. 30 rows are permuted
// directly; of 400 and more, targets of one number, classes, and one column beside targets of many go through
// products.
TEST(Hsic, CountsPermutations) {
  for (const std::size_t n : {30u, 450u})
    for (const int roles : {0, 1, 2}) {
      const Points x = as_points(random_rows(n, roles == 2 ? 1 : 6, 2));
      Points y = noisy_targets(x, 6, 5);
      if (roles == 1) {
        Target classes{Task::classification, "", {"a", "b", "c"}, {}, {}};
        Random random(3);
        for (std::size_t i = 0; i < n; ++i)
          classes.codes.push_back(std::int32_t(x.row(i)[0] > 0.5) + std::int32_t(random.below(2)));
        y = target_points(classes);
      } else if (roles == 2) {
        y = as_points(random_rows(n, 7, 8));
      }
      const Kernel target_kernel = roles == 1 ? Kernel::parse("linear") : of_targets;
      const std::size_t permutations = n == 30 ? 199 : 60;
      const HsicTest test =
          hsic_test(of_rows, x, target_kernel, y, {.permutations = permutations, .seed = 7});
      const Square K = hsic_values(of_rows, x), L = hsic_values(target_kernel, y);
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t(0));
      const double found = hsic_by_sums(K, L, order);
      Random random(7);
      std::size_t at_least = 0;
      for (std::size_t p = 0; p < permutations; ++p) {
        for (std::size_t i = n; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
        at_least += hsic_by_sums(K, L, order) >= found - 1e-14;
      }
      EXPECT_EQ(*test.p_value, double(1 + at_least) / double(1 + permutations)) << n << " " << roles;
      EXPECT_EQ(test.permutations, permutations);
      EXPECT_LE(test.recomputed,
                permutations / 4);  // products that were wrong would be noticed, and done again
    }
}

TEST(Hsic, TellsDependenceFromIndependence) {
  const Points x = as_points(random_rows(200, 2, 2));
  EXPECT_LT(*hsic_test(of_rows, x, of_targets, noisy_targets(x, 0.1, 5)).p_value, 0.01);
  EXPECT_GT(*hsic_test(of_rows, x, of_targets, as_points(random_rows(200, 1, 77))).p_value, 0.01);
}

TEST(Hsic, GivesTheSameForAnyNumberOfThreads) {
  const Points x = as_points(random_rows(500, 4, 2)), y = noisy_targets(x, 4, 5);
  const HsicTest one = hsic_test(of_rows, x, of_targets, y, {.permutations = 50, .threads = 1}),
                 three = hsic_test(of_rows, x, of_targets, y, {.permutations = 50, .threads = 3});
  EXPECT_EQ(one.biased, three.biased);
  EXPECT_EQ(one.unbiased, three.unbiased);
  EXPECT_EQ(one.p_value, three.p_value);
}

TEST(HsicRanking, OrdersColumnsByTheirHsic) {
  Random random(4);
  std::vector<std::vector<double>> rows, targets;
  for (int i = 0; i < 120; ++i) {
    rows.push_back({random.normal(), random.normal(), 3.0, random.normal()});
    targets.push_back({std::sin(2 * rows.back()[3]) + 0.3 * rows.back()[0]});
  }
  const Points x(rows), y(targets);
  const Kernel kernel = Kernel::parse("rbf(gamma=median)");
  for (const std::size_t permutations : {0u, 99u}) {
    const auto ranking = hsic_ranking(kernel, x, of_targets, y, {.permutations = permutations});
    ASSERT_EQ(ranking.size(), 4u);
    EXPECT_EQ(ranking[0].column, 3u);
    EXPECT_EQ(ranking[1].column, 0u);
    EXPECT_EQ(ranking[3].column, 2u);
    EXPECT_EQ(ranking[3].hsic, 0);
    for (const ColumnDependence& one : ranking) {
      EXPECT_EQ(one.p_value.has_value(), permutations > 0);
      if (one.column == 2) continue;
      const Points column = x.select_columns(std::vector<std::size_t>{one.column});
      const HsicTest alone = hsic_test(kernel, column, of_targets, y, {.permutations = permutations});
      EXPECT_NEAR(one.hsic, alone.biased, 1e-14);
      EXPECT_NEAR(one.alignment, alone.alignment, 1e-12);
      EXPECT_EQ(one.p_value, alone.p_value);
    }
  }
}

TEST(Hsic, RefusesWhatCannotBeCompared) {
  const Points x = as_points(random_rows(5, 2, 2)), y = as_points(random_rows(4, 1, 2));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { hsic_test(of_rows, x, of_targets, y); }),
            "there are 5 rows but 4 targets");
  const Points one = as_points(random_rows(1, 1, 2));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { hsic_test(of_rows, one, of_targets, one); }),
            "independence is tested on pairs of rows, but there is 1 row; give two or more");
  EXPECT_NE(refusal(ErrorKind::budget, [&] { hsic_test(of_rows, x, of_targets, x, {.memory = 100}); })
                .find("the kernel matrices of 5 rows need"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
