#include "solvers/feature_box.hpp"

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

struct Rows {
  Points points;
  Matrix64 K;
};

/// n rows of p numbers, column j of the scale 10^(spread·j/p), `shift` away from the origin; some of them
/// twice.
Rows rows_of(std::size_t n, std::size_t p, double spread, double shift, Random& random) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < p; ++j)
      row.push_back(std::pow(10, spread * double(j) / double(p)) * (random.normal() + shift));
    rows.push_back(i % 7 == 6 ? rows[i - 3] : row);
  }
  Rows made{Points(rows), Matrix64(n, std::vector<double>(n, 0))};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < p; ++k) made.K[i][j] += rows[i][k] * rows[j][k];
  return made;
}

RowFeatures features_of(const Points& points) { return *RowFeatures::of(Kernel::parse("linear"), points, 1); }

void expect_solved(const BoxQp& problem, const Rows& rows, double tolerance, const std::string& what) {
  const SmoResult found = solve_over_features(problem, features_of(rows.points), {.tolerance = tolerance});
  expect_feasible(problem, found.beta, what);
  EXPECT_TRUE(found.converged) << what << ", violation " << found.certificate.violation;
  EXPECT_NEAR(violation(problem, rows.K, found.beta), found.certificate.violation, 1e-2 * tolerance) << what;
  double room = 0;
  for (std::size_t v = 0; v < problem.size(); ++v) room += problem.upper[v] - problem.lower[v];
  EXPECT_LE(found.certificate.gap, tolerance * room) << what;
  EXPECT_LE(found.certificate.violation, tolerance) << what;
  const std::vector<double> f = products(problem, rows.K, found.beta);
  for (std::size_t i = 0; i < f.size(); ++i) {
    double terms = 0;  // which cancel where C is large
    for (std::size_t v = 0; v < problem.size(); ++v)
      terms += std::abs(found.beta[v] * rows.K[i][std::size_t(problem.points[v])]);
    EXPECT_NEAR(found.f[i], f[i], 1e-8 * (1 + std::abs(f[i])) + 1e-13 * terms) << what;
  }
  EXPECT_NEAR(objective(problem, rows.K, found.beta), found.certificate.objective,
              1e-9 * (1 + std::abs(found.certificate.objective)))
      << what;
}

TEST(FeatureBox, SolvesProblemsOfEveryShape) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 20 + random.below(80), p = 1 + random.below(6);
    const Rows rows = rows_of(n, p, round % 3 == 2 ? 2 : 0, round % 2, random);
    std::vector<double> y, z, C;
    for (std::size_t i = 0; i < n; ++i) {
      z.push_back(rows.points.row(i)[0] + random.normal());
      y.push_back(i < 2 ? double(i) * 2 - 1 : z[i] > 0 ? 1 : -1);
      C.push_back(std::pow(10, random.uniform(-2, round % 4)) * (i % 5 == 4 ? 0.25 : 1));
    }
    const std::string what = "round " + std::to_string(round);
    for (const double tolerance : {1e-3, 1e-6}) {
      expect_solved(c_svc(y, C), rows, tolerance, what + ", classes");
      expect_solved(epsilon_svr(z, C[0], 0.2), rows, tolerance, what + ", numbers");
    }
  }
}

// The violation above is a proof; this is the same minimum found by another method.
TEST(FeatureBox, FindsTheMinimumOfPlainSteps) {
  Random random(11);
  for (int round = 0; round < 5; ++round) {
    const Rows rows = rows_of(40, 3, 0, 0, random);
    std::vector<double> y;
    for (std::size_t i = 0; i < 40; ++i) y.push_back(random.uniform() < 0.5 ? 1 : -1);
    const BoxQp problem = c_svc(y, std::vector(40, 1.0));
    const SmoResult found = solve_over_features(problem, features_of(rows.points), {.tolerance = 1e-6});
    const double least = objective(problem, rows.K, reference_solution(problem, rows.K));
    EXPECT_NEAR(found.certificate.objective, least, 1e-8 * std::abs(least));
  }
}

// So many rows that those far from the margin are left out.
TEST(FeatureBox, SolvesProblemsOfManyRows) {
  Random random(12);
  for (const double noise : {0.0, 1.0}) {
    std::vector<std::vector<double>> rows;
    std::vector<double> y, z, C;
    for (std::size_t i = 0; i < 6000; ++i) {
      rows.push_back({random.normal(), random.normal(), 3 * random.normal()});
      z.push_back(rows[i][0] + 0.5 * rows[i][2] + noise * random.normal());
      y.push_back(z[i] > 0.2 ? 1 : -1);
      C.push_back(random.uniform(0.5, 2));
    }
    const RowFeatures features = features_of(Points(rows));
    for (const BoxQp& problem : {c_svc(y, C), epsilon_svr(z, 1, 0.1)}) {
      const SmoResult found = solve_over_features(problem, features, {.tolerance = 1e-5});
      expect_feasible(problem, found.beta, "many rows");
      EXPECT_TRUE(found.converged);
      EXPECT_LE(found.certificate.violation, 1e-5);
      EXPECT_LE(found.certificate.gap, 1e-6 * (1 + std::abs(found.certificate.objective)));
    }
  }
}

TEST(FeatureBox, SolvesProblemsOfManySparseFeatures) {
  Random random(5);
  constexpr std::size_t n = 60, p = 900;
  Sparse<double> sparse{n, p, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(3 * n), Buffer<double>(3 * n)};
  Matrix64 dense(n, std::vector<double>(p, 0)), K(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    sparse.starts[i] = 3 * i;
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t column = e * 300 + random.below(e == 0 ? 4 : 300);
      sparse.indices[3 * i + e] = std::int32_t(column);
      sparse.values[3 * i + e] = dense[i][column] = random.uniform(0.5, 1);
    }
  }
  sparse.starts[n] = 3 * n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < p; ++k) K[i][j] += dense[i][k] * dense[j][k];
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) y.push_back(random.uniform() < 0.5 ? 1 : -1);
  const Rows rows{Points(std::move(sparse)), std::move(K)};
  EXPECT_FALSE(suits_interior_point(features_of(rows.points)));
  for (const double C : {0.1, 10.0}) expect_solved(c_svc(y, std::vector(n, C)), rows, 1e-6, "sparse");
}

TEST(FeatureBox, StopsWhereAskedWithWhatItHas) {
  Random random(7);
  const Rows rows = rows_of(50, 3, 0, 0, random);
  std::vector<double> y;
  for (std::size_t i = 0; i < 50; ++i) y.push_back(random.uniform() < 0.5 ? 1 : -1);
  const BoxQp problem = c_svc(y, std::vector(50, 1.0));
  for (const int after : {0, 3, 8}) {
    int told = 0;
    const SmoResult found =
        solve_over_features(problem, features_of(rows.points),
                            {.tolerance = 1e-9, .progress = [&](std::string_view, double fraction) {
                               EXPECT_TRUE(fraction >= 0 && fraction <= 1);
                               return told++ < after;
                             }});
    EXPECT_TRUE(found.stopped);
    EXPECT_FALSE(found.converged);
    expect_feasible(problem, found.beta, "stopped");
  }
}

TEST(FeatureBox, TakesVariablesWithoutRoomAndOneClassAlone) {
  const Rows rows{Points(std::vector<std::vector<double>>{{1}, {2}}), {{1, 2}, {2, 4}}};
  expect_solved(c_svc({1, -1}, {0, 0}), rows, 1e-3, "no room");
  expect_solved(c_svc({1, 1}, {1, 1}), rows, 1e-3, "one class");
}

}  // namespace
}  // namespace mercer
