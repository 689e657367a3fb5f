// The certificate against the formulas of the header, written out, and the gap against what it bounds.
#include "solvers/box_qp.hpp"

#include <gtest/gtest.h>

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

/// A problem of n variables over n points (some shared) with bounds of every kind, and a β at and between
/// them.
std::pair<BoxQp, std::vector<double>> random_problem(std::size_t n, bool grouped, double share_free,
                                                     std::uint64_t seed) {
  Random random(seed);
  BoxQp problem;
  std::vector<double> beta;
  for (std::size_t v = 0; v < n; ++v) {
    const double lower = random.uniform() < 0.3 ? 0 : -random.uniform(),
                 upper = random.uniform() < 0.3 ? 0 : random.uniform();
    add_variable(problem, random.below(n), random.normal(), lower, upper);
    if (grouped) problem.groups.push_back(std::uint8_t(random.below(2)));
    const double kind = random.uniform();
    beta.push_back(kind < share_free             ? random.uniform(lower, upper)
                   : kind < (1 + share_free) / 2 ? lower
                                                 : upper);
  }
  return {problem, beta};
}

void expect_formulas(const BoxQp& problem, const Matrix64& K, const std::vector<double>& beta,
                     const std::string& what) {
  const auto f = products(problem, K, beta);
  const auto G = gradient(problem, f);
  const Certificate c = certify(problem, beta, f);
  EXPECT_NEAR(c.objective, objective(problem, K, beta), 1e-12 * double(1 + problem.size())) << what;
  double violation = 0;
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t j = 0; j < problem.size(); ++j)
      if (problem.group(i) == problem.group(j) && beta[i] < problem.upper[i] && beta[j] > problem.lower[j])
        violation = std::max(violation, -G[i] - -G[j]);
  EXPECT_NEAR(c.violation, violation, 1e-14) << what;
  double gap = 0;
  for (int g = 0; g < 2; ++g) {
    double sum = 0, lowest = INFINITY, highest = -INFINITY;  // ρ is at most lowest and at least highest
    int free = 0;
    for (std::size_t v = 0; v < problem.size(); ++v) {
      if (problem.group(v) != g) continue;
      const bool at_lower = beta[v] == problem.lower[v], at_upper = beta[v] == problem.upper[v];
      if (!at_lower && !at_upper) sum += G[v], ++free;
      if (at_lower && !at_upper) lowest = std::min(lowest, G[v]);
      if (at_upper && !at_lower) highest = std::max(highest, G[v]);
    }
    const double rho = free                                              ? sum / free
                       : std::isfinite(lowest) && std::isfinite(highest) ? (lowest + highest) / 2
                       : std::isfinite(lowest)                           ? lowest
                       : std::isfinite(highest)                          ? highest
                                                                         : 0;
    EXPECT_NEAR(c.rho[g], rho, 1e-13) << what << " group " << g;
    for (std::size_t v = 0; v < problem.size(); ++v)
      if (problem.group(v) == g)
        gap += (beta[v] - problem.lower[v]) * std::max(G[v] - rho, 0.0) +
               (problem.upper[v] - beta[v]) * std::max(rho - G[v], 0.0);
  }
  EXPECT_NEAR(c.gap, gap, 1e-12 * double(1 + problem.size())) << what;
  EXPECT_GE(c.gap, 0) << what;
}

TEST(Certify, EqualsItsFormulas) {
  std::uint64_t seed = 0;
  for (const std::size_t n : {0, 1, 2, 3, 10, 41})
    for (const bool grouped : {false, true})
      for (const double share_free : {0.0, 0.4, 1.0})
        for (int round = 0; round < 5; ++round) {
          const auto [problem, beta] = random_problem(n, grouped, share_free, ++seed);
          expect_formulas(problem, random_psd(n, seed), beta,
                          std::to_string(n) + " variables, seed " + std::to_string(seed));
        }
}

TEST(Certify, TakesTheLevelFromOneSideWhereOnlyThatMoves) {
  BoxQp problem;
  for (const double s : {3.0, 1.0, 2.0}) add_variable(problem, 0, s, 0, 1);
  const std::vector<double> f{0.5};
  EXPECT_EQ(certify(problem, std::vector<double>{0, 0, 0}, f).rho[0], 1.5);  // all rise: G ≥ ρ
  EXPECT_EQ(certify(problem, std::vector<double>{1, 1, 1}, f).rho[0], 3.5);  // all fall: G ≤ ρ
  EXPECT_EQ(certify(problem, std::vector<double>{0, 1, 1}, f).rho[0], 3);    // between 2.5 and 3.5
  EXPECT_EQ(certify(problem, std::vector<double>{0, 0.5, 1}, f).rho[0], 1.5);
  EXPECT_EQ(certify(problem, std::vector<double>{0, 0, 0}, f).violation, 0);
  EXPECT_EQ(certify(problem, std::vector<double>{1, 0, 0}, f).violation, 2);
  EXPECT_EQ(certify(BoxQp{}, {}, {}).violation, 0);
}

TEST(Certify, BoundsTheDistanceToTheMinimum) {
  Random random(3);
  std::vector<double> y(14), z(14), C(14);
  double slack = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = i % 2 ? 1 : -1, z[i] = random.normal(), C[i] = random.uniform(0.5, 3);
    const auto K = random_psd(y.size(), seed);
    for (const BoxQp& problem : {c_svc(y, C), epsilon_svr(z, 2, 0.1), nu_svc(y, 0.4), one_class(14, 0.3)}) {
      const auto solution = reference_solution(problem, K);
      const double minimum = objective(problem, K, solution);
      EXPECT_NEAR(certify(problem, solution, products(problem, K, solution)).gap, 0, 1e-8);
      // On the way from the start, and at either end.
      for (const double part : {0.0, 0.3, 0.9}) {
        std::vector<double> beta = start_of(problem);
        for (std::size_t v = 0; v < beta.size(); ++v) beta[v] += part * (solution[v] - beta[v]);
        const Certificate c = certify(problem, beta, products(problem, K, beta));
        EXPECT_GE(c.gap, c.objective - minimum - 1e-9);
        slack = std::max(slack, c.objective - minimum);
      }
    }
  }
  EXPECT_GT(slack, 0.1);  // there was something to bound
}

TEST(FeasibleGuess, KeepsBoundsAndSums) {
  Random random(8);
  std::vector<double> y;
  for (std::size_t i = 0; i < 20; ++i) y.push_back(i % 3 ? 1 : -1);
  for (int trial = 0; trial < 200; ++trial)
    for (BoxQp problem : {c_svc(y, std::vector<double>(20, 0.7)), epsilon_svr(y, 1.5, 0.1), nu_svc(y, 0.4),
                          one_class(20, 0.35)}) {
      const double size = trial % 4 == 0 ? 0 : trial % 4;
      for (std::size_t v = 0; v < problem.size(); ++v)
        problem.guess.push_back(random.below(2) ? 0 : size * random.normal());
      const auto beta = feasible_guess(problem);
      double sums[2] = {}, wanted[2] = {};
      for (std::size_t v = 0; v < problem.size(); ++v) {
        ASSERT_GE(beta[v], problem.lower[v]);
        ASSERT_LE(beta[v], problem.upper[v]);
        sums[problem.group(v)] += beta[v];
        if (!problem.start.empty()) wanted[problem.group(v)] += problem.start[v];
      }
      for (int g = 0; g < 2; ++g) ASSERT_NEAR(sums[g], wanted[g], 1e-12);
      problem.guess = problem.start.empty() ? std::vector<double>(problem.size(), 0) : problem.start;
      const auto kept = feasible_guess(problem);  // what is feasible stays
      for (std::size_t v = 0; v < problem.size(); ++v) ASSERT_NEAR(kept[v], problem.guess[v], 1e-14);
    }
}

/// Any β within the bounds, some of them at a bound.
std::vector<double> some_beta(const BoxQp& problem, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> beta;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double share = std::clamp(random.uniform(-0.5, 1.5), 0.0, 1.0);
    beta.push_back(share == 1   ? problem.upper[v]
                   : share == 0 ? problem.lower[v]
                                : problem.lower[v] + share * (problem.upper[v] - problem.lower[v]));
  }
  return beta;
}

/// Σ ½βᵀKβ + sᵀβ and how far β is from optimal are the same before and after; bounds are met by all or by
/// none.
void expect_equal_problems(const BoxQp& original, const std::vector<std::int32_t>& point_of,
                           std::size_t variables) {
  const DeduplicatedQp merged(original, point_of);
  const BoxQp& small = merged.problem();
  ASSERT_EQ(small.size(), variables);
  const auto beta = some_beta(small, 3), split = merged.split(beta);
  const auto points = std::size_t(*std::ranges::max_element(point_of)) + 1;
  Random random(5);
  std::vector<double> f(points), f_of_rows;
  for (double& value : f) value = random.normal();
  for (const std::int32_t point : point_of) f_of_rows.push_back(f[point]);
  const Certificate a = certify(small, beta, f), b = certify(original, split, f_of_rows);
  EXPECT_NEAR(a.objective, b.objective, 1e-12);
  EXPECT_EQ(a.violation, b.violation);
  double sums[2] = {}, split_sums[2] = {}, starts[2] = {}, small_starts[2] = {};
  for (std::size_t v = 0; v < small.size(); ++v) {
    sums[small.group(v)] += beta[v];
    if (!small.start.empty()) small_starts[small.group(v)] += small.start[v];
  }
  for (std::size_t v = 0; v < original.size(); ++v) {
    split_sums[original.group(v)] += split[v];
    if (!original.start.empty()) starts[original.group(v)] += original.start[v];
    EXPECT_GE(split[v], original.lower[v]);
    EXPECT_LE(split[v], original.upper[v]);
  }
  for (int g = 0; g < 2; ++g) {
    EXPECT_NEAR(sums[g], split_sums[g], 1e-12);
    EXPECT_NEAR(small_starts[g], starts[g], 1e-12);
  }
}

TEST(CompactQp, KeepsTheOrderOfThePointsAndFindsThemAgain) {
  BoxQp problem;
  for (const std::size_t point : {7, 3, 7, 12, 4}) problem.add(point, double(point), -1, double(point));
  const CompactQp own(problem);
  EXPECT_EQ(own.points, (std::vector<std::size_t>{3, 4, 7, 12}));
  EXPECT_EQ(own.problem.points, (std::vector<std::int32_t>{2, 0, 2, 3, 1}));
  EXPECT_EQ(own.problem.linear, problem.linear);
  EXPECT_EQ(own.problem.upper, problem.upper);
  const std::vector<double> f{30, 40, 70, 120};
  const auto all = own.spread(f, 14);
  ASSERT_EQ(all.size(), 14u);
  for (std::size_t i = 0; i < 14; ++i)
    EXPECT_EQ(all[i], std::ranges::count(own.points, i) ? 10 * double(i) : 0) << i;
  EXPECT_TRUE(CompactQp(BoxQp()).points.empty());
}

TEST(DeduplicatedQp, IsTheSameWhereAllPointsDiffer) {
  const BoxQp problem = c_svc({1, -1, 1}, {1, 2, 3});
  const DeduplicatedQp merged(problem, std::vector<std::int32_t>{0, 1, 2});
  EXPECT_EQ(merged.problem().points, problem.points);
  EXPECT_EQ(merged.problem().upper, problem.upper);
  EXPECT_EQ(merged.problem().lower, problem.lower);
  const std::vector<double> beta{0.25, -2, 1};
  EXPECT_EQ(merged.split(beta), beta);
}

TEST(DeduplicatedQp, JoinsEqualPointsOfOneClass) {
  const std::vector<double> y{1, 1, -1, 1, -1, -1}, C{1, 2, 1, 0.5, 3, 1};
  expect_equal_problems(c_svc(y, C), {0, 1, 2, 0, 2, 0}, 4);
  expect_equal_problems(c_svc(y, C), {0, 0, 0, 0, 0, 0}, 2);
  expect_equal_problems(nu_svc(y, 0.5), {0, 1, 2, 0, 2, 2}, 3);
  expect_equal_problems(one_class(5, 0.3), {0, 1, 0, 1, 0}, 2);
}

TEST(DeduplicatedQp, JoinsEqualTargetsOfARegression) {
  expect_equal_problems(epsilon_svr({1, 2, 1, 1}, 2, 0.1), {0, 0, 0, 1}, 6);
  expect_equal_problems(epsilon_svr({1, 1, 1, 1}, 2, 0.0), {0, 0, 0, 0}, 2);
}

TEST(DeduplicatedQp, GivesEachRowTheSameShareOfItsBound) {
  const BoxQp problem = c_svc({1, 1, -1, -1}, {1, 3, 0.1, 0.2});
  const DeduplicatedQp merged(problem, std::vector<std::int32_t>{0, 0, 1, 1});
  const auto shares = merged.split(std::vector<double>{2, -0.15});
  const double expected[] = {0.5, 1.5, -0.05, -0.1};
  for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(shares[v], expected[v], 1e-15);
  EXPECT_EQ(merged.split(std::vector<double>{4, -(0.1 + 0.2)}), (std::vector<double>{1, 3, -0.1, -0.2}));
}

}  // namespace
}  // namespace mercer
