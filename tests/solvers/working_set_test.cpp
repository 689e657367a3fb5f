#include "solvers/working_set.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

/// An RBF matrix of random points in the plane, rounded to float so that both precisions solve one problem.
Matrix64 rbf_matrix(std::size_t n, double gamma, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<double, double>> x(n);
  for (auto& [a, b] : x) a = random.normal(), b = random.normal();
  Matrix64 K(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double a = x[i].first - x[j].first, b = x[i].second - x[j].second;
      K[i][j] = double(float(std::exp(-gamma * (a * a + b * b))));
    }
  return K;
}

/// The variables of other groups cannot move.
BoxQp of_group(BoxQp problem, int g) {
  const auto beta = start_of(problem);
  for (std::size_t v = 0; v < problem.size(); ++v)
    if (problem.group(v) != g) problem.lower[v] = problem.upper[v] = beta[v];
  return problem;
}

template <class T>
class Loaded {
 public:
  /// The whole problem in `set`; `level`: how far from 0 the gradients that decide are.
  void load(const BoxQp& problem, const Matrix64& K, double level = 0) {
    std::size_t counts[2] = {};
    for (std::size_t v = 0; v < problem.size(); ++v) ++counts[problem.group(v)];
    set.resize(counts[0], counts[1]);
    place_all(set, problem, K, level);
    for (std::size_t v = 0; v < problem.size(); ++v)
      for (std::size_t u = 0; u < problem.size(); ++u)
        set.row(places[v])[places[u]] = T(K[std::size_t(problem.points[v])][std::size_t(problem.points[u])]);
  }
  void place_all(WorkingSet<T>& set, const BoxQp& problem, const Matrix64& K, double level = 0) {
    const auto beta = start_of(problem);
    auto G = gradient(problem, products(problem, K, beta));
    for (const int g : {0, 1}) {
      const Pair worst = worst_pair(of_group(problem, g), beta, G);
      if (worst.violation <= 0) continue;
      const double middle = (G[worst.rising] + G[worst.falling]) / 2;
      for (std::size_t v = 0; v < G.size(); ++v)
        if (problem.group(v) == g) G[v] += level - middle;
    }
    std::size_t counts[2] = {};
    places.clear();
    for (std::size_t v = 0; v < problem.size(); ++v) {
      const int g = problem.group(v);
      const auto point = std::size_t(problem.points[v]);
      places.push_back(set.place_of(g, counts[g]++));
      set.place(places[v], beta[v], G[v], problem.lower[v], problem.upper[v], K[point][point]);
    }
  }
  std::vector<double> beta() const {
    std::vector<double> out;
    for (const std::size_t place : places) out.push_back(set.beta(place));
    return out;
  }

  WorkingSet<T> set;
  std::vector<std::size_t> places;
};

std::vector<BoxQp> every_problem(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> y(n), z(n), C(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] = i % 2 ? 1 : -1, z[i] = random.normal(), C[i] = random.uniform(0.2, 4);
  return {c_svc(y, C), epsilon_svr(z, 1, 0.1), nu_svc(y, n < 2 ? 0 : 0.5), one_class(n, 0.3)};
}

constexpr std::size_t many_steps = 1000000;

template <class T>
void expect_solutions() {
  Loaded<T> loaded;  // used again and again, so that what it held before must not matter
  for (const std::size_t n : {40, 1, 2, 17, 0, 16, 3, 60})
    for (const BoxQp& problem : every_problem(n, n + 1)) {
      const auto K = rbf_matrix(n, 0.5, n + 2);
      const double minimum = objective(problem, K, reference_solution(problem, K));
      const std::string what = std::to_string(problem.size()) + " variables";
      for (const double tolerance : {1e-3, 1e-8}) {
        loaded.load(problem, K);
        const double before = violation(problem, K, start_of(problem));
        const std::size_t steps = loaded.set.solve(tolerance, 0, many_steps);
        EXPECT_EQ(steps == 0, before <= tolerance) << what;
        // What float32 rounds off is made up for from gradients computed anew.
        BoxQp resumed = problem;
        for (int round = 0; sizeof(T) == 4 && round < 4; ++round) {
          resumed.start = loaded.beta();
          loaded.load(resumed, K);
          loaded.set.solve(tolerance / 2, 0, many_steps);
        }
        const auto beta = loaded.beta();
        ASSERT_NO_FATAL_FAILURE(expect_feasible(problem, beta, what));
        EXPECT_LE(violation(problem, K, beta), tolerance + 1e-12) << what;
        const double above = objective(problem, K, beta) - minimum;
        EXPECT_GE(above, -1e-9) << what;
        EXPECT_LE(above, certify(problem, beta, products(problem, K, beta)).gap + 1e-12) << what;
        EXPECT_LE(above, 10 * tolerance * double(n + 1)) << what;
        EXPECT_EQ(loaded.set.solve(tolerance * 1.0001, 0, many_steps), 0u) << what;  // nothing is left to do
      }
    }
}

TEST(WorkingSet, SolvesEveryProblemInFloat32) { expect_solutions<float>(); }
TEST(WorkingSet, SolvesEveryProblemInFloat64) { expect_solutions<double>(); }

// Rows that the caller keeps, given when they are asked for: each at most once, and none that was not.
template <class T>
void expect_rows_on_demand() {
  for (const std::size_t n : {2, 17, 40, 300})
    for (const bool many : {false, true})
      for (const BoxQp& problem : every_problem(n, n + 5)) {
        const auto K = rbf_matrix(n, 0.5, n + 6);
        Loaded<T> loaded;
        loaded.load(problem, K);
        std::vector<std::vector<T>> rows;
        for (std::size_t v = 0; v < problem.size(); ++v) {
          const T* row = loaded.set.row(loaded.places[v]);
          rows.emplace_back(row, row + loaded.set.stride());
        }
        const std::size_t steps = loaded.set.solve(1e-3, 0, many_steps);
        const auto expected = loaded.beta();

        std::vector<int> asked(loaded.set.stride(), 0);
        std::size_t counts[2] = {};
        for (std::size_t v = 0; v < problem.size(); ++v) ++counts[problem.group(v)];
        WorkingSet<T> set;
        set.resize(counts[0], counts[1], many,
                   [&](std::span<const std::size_t> places, std::span<const T*> out) {
                     for (const std::size_t place : places) {
                       ++asked[place];
                       const auto v = std::ranges::find(loaded.places, place) - loaded.places.begin();
                       ASSERT_LT(std::size_t(v), rows.size());
                       out[place] = rows[std::size_t(v)].data();
                     }
                   });
        ASSERT_LE(set.stride(), loaded.set.stride());
        loaded.place_all(set, problem, K);
        EXPECT_EQ(set.solve(1e-3, 0, many_steps), steps);
        for (std::size_t v = 0; v < problem.size(); ++v)
          EXPECT_EQ(set.beta(loaded.places[v]), expected[v]) << n << ' ' << v;
        EXPECT_LE(*std::ranges::max_element(asked), 1);
      }
}
TEST(WorkingSet, AsksForRowsWhenTheyAreNeededInFloat32) { expect_rows_on_demand<float>(); }
TEST(WorkingSet, AsksForRowsWhenTheyAreNeededInFloat64) { expect_rows_on_demand<double>(); }

TEST(WorkingSet, StopsWhereTheViolationIsReduced) {
  const auto K = rbf_matrix(50, 1, 3);
  for (const BoxQp& problem : every_problem(50, 4)) {
    Loaded<double> loaded;
    std::size_t last = 0;
    for (const double reduction : {1.0, 0.5, 0.1, 0.001}) {
      loaded.load(problem, K);
      const std::size_t steps = loaded.set.solve(1e-12, reduction, many_steps);
      EXPECT_LE(violation(problem, K, loaded.beta()),
                reduction * violation(problem, K, start_of(problem)) + 1e-12);
      EXPECT_GE(steps, last);
      EXPECT_EQ(steps == 0, reduction == 1);
      last = steps;
    }
    loaded.load(problem, K);
    EXPECT_GT(loaded.set.solve(1e-12, 0, many_steps), last);
  }
}

TEST(WorkingSet, TakesNoMoreStepsThanAllowed) {
  const auto K = rbf_matrix(50, 1, 3);
  for (const BoxQp& problem : every_problem(50, 4)) {
    Loaded<float> loaded;
    double last = objective(problem, K, start_of(problem));
    for (const std::size_t most : {0, 1, 2, 5, 11}) {
      loaded.load(problem, K);
      EXPECT_EQ(loaded.set.solve(1e-12, 0, most), most);
      const auto beta = loaded.beta();
      expect_feasible(problem, beta, "a few steps");
      std::size_t changed = 0;
      for (std::size_t v = 0; v < beta.size(); ++v) changed += beta[v] != start_of(problem)[v];
      EXPECT_LE(changed, 2 * most);
      const double now = objective(problem, K, beta);
      EXPECT_TRUE(most == 0 ? now == last : now < last) << now;  // each step decreases it
      last = now;
    }
  }
}

// Float32 cannot tell violations of 1e-8 apart at a level of 1000: steps would go on forever.
TEST(WorkingSet, EndsWhereFloat32TellsNoMore) {
  const auto K = rbf_matrix(50, 1, 3);
  for (const BoxQp& problem : every_problem(50, 4)) {
    Loaded<float> loaded;
    loaded.load(problem, K, 1000);
    EXPECT_LT(loaded.set.solve(1e-8, 0, many_steps), many_steps / 10);
    EXPECT_LE(violation(problem, K, loaded.beta()), 1e-2);
    expect_feasible(problem, loaded.beta(), "a high level");
  }
}

TEST(WorkingSet, TakesThePairOfLargestDecreaseFirst) {
  // Variable 0 rises first. 1 falls furthest, but the step on 2 decreases more: the points are nearly the
  // same.
  BoxQp problem;
  for (const double s : {-1.0, 1.0, 0.8, 0.0}) add_variable(problem, problem.size(), s, -10, 10);
  const Matrix64 K{{1, 0, 0.875, 0}, {0, 1, 0, 0}, {0.875, 0, 1, 0}, {0, 0, 0, 1}};
  Loaded<double> loaded;
  loaded.load(problem, K);
  EXPECT_EQ(loaded.set.solve(1e-6, 0, 1), 1u);
  const auto beta = loaded.beta();
  EXPECT_NEAR(beta[0], 1.8 / 0.25, 1e-12);
  EXPECT_NEAR(beta[2], -1.8 / 0.25, 1e-12);
  EXPECT_EQ(beta[1], 0);
  EXPECT_EQ(beta[3], 0);
}

TEST(WorkingSet, ReachesBoundsToTheBit) {
  Random random(8);
  for (int round = 0; round < 2000; ++round) {
    BoxQp problem;  // 0 rises as far as 1 can fall, or as far as itself can rise
    const double near = random.uniform(0.1, 1), far = random.uniform(5, 6);
    const bool own = round % 2;
    add_variable(problem, 0, -100, -far, own ? near : far);
    add_variable(problem, 1, 100, own ? -far : -near, far);
    problem.start = {random.uniform(-1, 0.1), random.uniform(-0.1, 1)};
    Loaded<double> loaded;
    loaded.load(problem, {{1, 0}, {0, 1}});
    ASSERT_EQ(loaded.set.solve(1e-3, 0, many_steps), 1u);
    ASSERT_EQ(loaded.beta()[own ? 0 : 1], own ? near : -near);
  }
}

TEST(WorkingSet, KeepsGroupsApart) {
  // Between the groups there is a violation, within them there is none.
  BoxQp problem;
  for (std::size_t i = 0; i < 40; ++i) {
    add_variable(problem, i, i % 2 ? 5 : -5, -1, 1);
    problem.groups.push_back(std::uint8_t(i % 2));
  }
  Matrix64 K(40, std::vector<double>(40, 0.0));
  for (std::size_t i = 0; i < 40; ++i) K[i][i] = 1;
  Loaded<float> loaded;
  loaded.load(problem, K);
  EXPECT_EQ(loaded.set.solve(1e-6, 0, many_steps), 0u);
  problem.groups.clear();
  loaded.load(problem, K);
  EXPECT_GT(loaded.set.solve(1e-6, 0, many_steps), 0u);
}

TEST(WorkingSet, EndsWithoutCurvature) {
  // Equal points, and a K that is not positive semidefinite: steps go to the bounds.
  for (const double other : {1.0, 2.0}) {
    BoxQp problem;
    for (std::size_t i = 0; i < 20; ++i)
      add_variable(problem, i, i % 2 ? 1 : -1, i % 2 ? -3 : 0, i % 2 ? 0 : 3);
    Matrix64 K(20, std::vector<double>(20, other));
    for (std::size_t i = 0; i < 20; ++i) K[i][i] = 1;
    Loaded<double> loaded;
    loaded.load(problem, K);
    EXPECT_LT(loaded.set.solve(1e-6, 0, many_steps), many_steps);
    const auto beta = loaded.beta();
    expect_feasible(problem, beta, "no curvature");
    EXPECT_LE(violation(problem, K, beta), 1e-6);
    for (std::size_t v = 0; v < 20; ++v) EXPECT_EQ(beta[v], v % 2 ? -3 : 3);
  }
}

TEST(WorkingSet, EndsWhereNoPartnerGains) {  // the gain of every partner underflows
  BoxQp problem;
  add_variable(problem, 0, -1e-200, 0, 1);
  add_variable(problem, 1, 1e-200, -1, 0);
  Loaded<double> loaded;
  loaded.load(problem, {{1, 0}, {0, 1}});
  EXPECT_EQ(loaded.set.solve(0, 0, many_steps), 0u);
  EXPECT_EQ(loaded.beta(), std::vector<double>(2, 0.0));
}

}  // namespace
}  // namespace mercer
