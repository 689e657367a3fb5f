// The direct method on problems that SMO cannot finish, judged by products in long double.
#include "solvers/direct_box.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "solvers/box_problems.hpp"
#include "solvers/box_system.hpp"

namespace mercer {
namespace {

std::vector<double> flat(const Matrix64& K) {
  std::vector<double> values;
  for (const auto& row : K) values.insert(values.end(), row.begin(), row.end());
  return values;
}

/// K of the linear kernel, or of its power, over rows of columns with the scales given about the centres
/// given.
struct SkewedTable {
  Matrix64 rows, K;
  SkewedTable(std::size_t n, const std::vector<double>& scales, const std::vector<double>& centres, int power,
              Random& random) {
    for (std::size_t i = 0; i < n; ++i) {
      rows.emplace_back();
      for (std::size_t c = 0; c < scales.size(); ++c)
        rows.back().push_back(centres[c] + scales[c] * random.normal());
    }
    for (const auto& x : rows) {
      K.emplace_back();
      for (const auto& z : rows)
        K.back().push_back(std::pow(std::inner_product(x.begin(), x.end(), z.begin(), 0.0), power));
    }
  }
  double largest() const {
    double most = 0;
    for (std::size_t i = 0; i < K.size(); ++i) most = std::max(most, K[i][i]);
    return most;
  }
};

/// The violation from sums in long double, and what rounding of K alone would account for.
struct Scored {
  double violation, rounding;
};
Scored judge(const BoxQp& problem, const Matrix64& K, const std::vector<double>& beta) {
  std::vector<double> G;
  double rounding = 0;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    long double sum = 0, size = 0;
    for (std::size_t w = 0; w < problem.size(); ++w) {
      const long double term =
          static_cast<long double>(K[std::size_t(problem.points[v])][std::size_t(problem.points[w])]) *
          beta[w];
      sum += term;
      size += std::abs(term);
    }
    G.push_back(double(sum + problem.linear[v]));
    rounding = std::max(rounding, 1e-16 * double(size));
  }
  return {worst_pair(problem, beta, G).violation, rounding};
}

void expect_solved(const BoxQp& problem, const Matrix64& K, double tolerance, const std::string& what) {
  const auto solution = solve_directly(problem, flat(K), K.size(), tolerance, {});
  ASSERT_TRUE(solution) << what;
  expect_feasible(problem, solution->beta, what);
  const Scored found = judge(problem, K, solution->beta);
  EXPECT_LE(found.violation, tolerance + 100 * found.rounding)
      << what << ", rounding " << found.rounding << ", steps " << solution->steps;
  EXPECT_NEAR(solution->certificate.violation, found.violation, 100 * found.rounding) << what;
}

std::vector<double> signs(std::size_t n, Random& random) {
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) y.push_back(i == 0 || (i > 1 && random.uniform(0, 1) < 0.5) ? 1 : -1);
  return y;
}

TEST(DirectBox, SolvesColumnsOfVeryDifferentRanges) {
  Random random(1);
  for (int round = 0; round < 12; ++round) {
    const std::size_t n = 4 + random.below(40);
    const SkewedTable table(n, {500, 300, 1.5, 0.01}, {19000, 0, 2, 0}, 1, random);
    for (const double C : {0.01, 1.0, 1e6}) {
      expect_solved(c_svc(signs(n, random), std::vector<double>(n, C)), table.K, 1e-3,
                    "C = " + std::to_string(C));
      std::vector<double> z;
      for (std::size_t i = 0; i < n; ++i) z.push_back(random.normal());
      expect_solved(epsilon_svr(z, C, 0.1), table.K, 1e-3, "svr, C = " + std::to_string(C));
    }
    expect_solved(nu_svc(signs(n, random), 0.3 / double(n) * 4), table.K, 1e-3, "nu");
    expect_solved(one_class(n, 0.4), table.K, 1e-3, "one class");
  }
}

TEST(DirectBox, SolvesPowersOfLargeNumbers) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 5 + random.below(20);
    const SkewedTable table(n, {1e4, 1, 1e3}, {5e3, 0, 0}, 3, random);
    std::vector<double> z;
    for (std::size_t i = 0; i < n; ++i) z.push_back(random.normal());
    expect_solved(epsilon_svr(z, 1, 0.1), table.K, 1e-3, "cubes");
  }
}

TEST(DirectBox, AgreesWithAPlainSolver) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 5 + random.below(25);
    const SkewedTable table(n, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1}, 2, random);
    std::vector<double> C;
    for (std::size_t i = 0; i < n; ++i) C.push_back(random.below(8) == 0 ? 0 : random.uniform(0.01, 0.1));
    const BoxQp problem = c_svc(signs(n, random), C);
    const auto solution = solve_directly(problem, flat(table.K), n, 1e-8, {});
    if (!solution) continue;  // one class may have no variable left
    const auto expected = reference_solution(problem, table.K);
    EXPECT_NEAR(objective(problem, table.K, solution->beta), objective(problem, table.K, expected), 1e-7);
    EXPECT_LE(violation(problem, table.K, solution->beta), 1e-8);
  }
}

// Then there may be several minima, or the method may find none; what it gives is feasible and honestly
// judged.
TEST(DirectBox, IsHonestAboutAnIndefiniteMatrix) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 4 + random.below(10);
    Matrix64 K(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) K[i][j] = K[j][i] = random.normal();
    const BoxQp problem = c_svc(signs(n, random), std::vector<double>(n, 10));
    const auto solution = solve_directly(problem, flat(K), n, 1e-3, {});
    if (!solution) continue;
    expect_feasible(problem, solution->beta, "indefinite");
    EXPECT_NEAR(solution->certificate.violation, violation(problem, K, solution->beta), 1e-9);
  }
}

TEST(DirectBox, GivesUpWhereTheSumLeavesNoChoice) {
  BoxQp problem = one_class(5, 1);
  EXPECT_FALSE(solve_directly(problem, flat(Matrix64(5, std::vector<double>(5, 1))), 5, 1e-3, {}));
}

struct Problems {
  Matrix64 K;
  std::vector<double> flat, y;
  Problems(std::size_t n, Random& random) {
    std::vector<std::vector<double>> x(n, std::vector<double>(2));
    for (auto& row : x) row = {random.normal(), random.normal()};
    for (std::size_t i = 0; i < n; ++i) {
      K.emplace_back();
      y.push_back(i % 2 ? 1 : -1);
      for (std::size_t j = 0; j < n; ++j) {
        const double a = x[i][0] - x[j][0], b = x[i][1] - x[j][1];
        K.back().push_back(std::exp(-a * a - b * b));
        flat.push_back(K.back().back());
      }
    }
  }
};

void expect_exact(const BoxQp& problem, const Problems& given, std::vector<double> from,
                  const std::string& what) {
  const std::size_t n = given.K.size();
  const Buffer<double> moved = centred(given.flat, n);
  const ActiveSetResult result = active_set(problem, given.flat, moved, n, std::move(from), 1e-11, {});
  ASSERT_TRUE(result.feasible) << what;
  expect_feasible(problem, result.beta, what);
  EXPECT_LE(violation(problem, given.K, result.beta), 1e-10) << what;
}

TEST(BoxActiveSet, EndsAtTheSolutionFromAnyBeginning) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    const Problems given(6 + random.below(20), random);
    const std::size_t n = given.K.size();
    for (const BoxQp& problem :
         {c_svc(given.y, std::vector<double>(n, 3)), nu_svc(given.y, 0.4), one_class(n, 0.3)}) {
      expect_exact(problem, given, start_of(problem), "from the start");
      std::vector<double> wild;
      for (std::size_t v = 0; v < n; ++v)
        wild.push_back(random.below(2) ? problem.upper[v] : problem.lower[v]);
      expect_exact(problem, given, wild, "from bounds whose sums are wrong");
    }
  }
}

TEST(BoxActiveSet, CanBeStopped) {
  Random random(8);
  const Problems given(6, random);
  const BoxQp problem = c_svc(given.y, std::vector<double>(6, 1));
  EXPECT_THROW(active_set(problem, given.flat, given.flat, 6, start_of(problem), 1e-9,
                          [](std::string_view, double) -> bool { throw 1; }),
               int);
}

}  // namespace
}  // namespace mercer
