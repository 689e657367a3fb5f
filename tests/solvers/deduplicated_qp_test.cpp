#include "solvers/deduplicated_qp.hpp"

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

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
