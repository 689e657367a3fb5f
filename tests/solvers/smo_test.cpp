// Two-level SMO against a plain solver, and its solutions against the optimality conditions in float64.
#include "solvers/smo.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

constexpr std::size_t plenty = std::size_t(1) << 28;

/// Points, kernel, K by its formula, and the stores' segments.
struct Setting {
  Setting(std::vector<std::vector<double>> given, double gamma, std::vector<std::size_t> lengths,
          std::size_t longest)
      : rows(std::move(given)),
        points(as_points(rows)),
        kernel(rbf({.gamma = gamma})),
        exact(kernel, points, {.threads = 1}),
        narrow(kernel, points, {.threads = 1}),
        segments(cut_segments(lengths, longest)) {
    for (const auto& x : rows) {
      K.emplace_back();
      for (const auto& z : rows) {
        double sum = 0;
        for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - z[k]) * (x[k] - z[k]);
        K.back().push_back(std::exp(-gamma * sum));
      }
    }
  }

  template <class T>
  SmoResult solve(const BoxQp& problem, const SmoOptions& options, int threads = 1,
                  std::size_t memory = plenty) const {
    if constexpr (sizeof(T) == 4) {
      RowStore<float> store(narrow, segments, memory, threads);
      return smo(problem, store, exact, options);
    } else {
      RowStore<double> store(exact, segments, memory, threads);
      return smo(problem, store, exact, options);
    }
  }

  std::vector<std::vector<double>> rows;
  Points points;
  Kernel kernel;
  KernelOperator<double> exact;
  KernelOperator<float> narrow;
  std::vector<Range> segments;
  Matrix64 K;
};

std::vector<double> noisy_signs(const std::vector<std::vector<double>>& rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> y;
  for (const auto& row : rows) y.push_back(row[0] + 0.5 * row[1] + 0.7 * random.normal() > 0 ? 1 : -1);
  return y;
}

std::vector<double> waves(const std::vector<std::vector<double>>& rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> z;
  for (const auto& row : rows) z.push_back(std::sin(2 * row[0]) + row[1] + 0.1 * random.normal());
  return z;
}

struct Named {
  std::string name;
  BoxQp problem;
};

/// The variables of the points from `begin` on alone.
BoxQp part(const BoxQp& problem, std::int32_t begin) {
  BoxQp out;
  for (std::size_t v = 0; v < problem.size(); ++v)
    if (problem.points[v] >= begin)
      add_variable(out, std::size_t(problem.points[v]), problem.linear[v], problem.lower[v],
                   problem.upper[v]);
  return out;
}

std::vector<Named> every_problem(const Setting& setting) {
  const auto y = noisy_signs(setting.rows, 11), z = waves(setting.rows, 12);
  const std::size_t n = y.size();
  Random random(13);
  std::vector<double> equal(n, 2.0), weighted(n);
  for (double& C : weighted) C = random.uniform() < 0.1 ? 0 : random.uniform(0.1, 10);
  BoxQp shuffled = c_svc(y, equal), warm = c_svc(y, equal);
  for (std::size_t v = 0; v < n; ++v) {  // point v ↔ variable n − 1 − v
    shuffled.points[v] = std::int32_t(n - 1 - v);
    const std::size_t i = n - 1 - v;
    shuffled.linear[v] = -y[i], shuffled.lower[v] = y[i] > 0 ? 0 : -2, shuffled.upper[v] = y[i] > 0 ? 2 : 0;
  }
  warm.start.assign(n, 0);
  for (std::size_t i = 0, j = 0; i < n; ++i) {  // pairs of both classes at half of C or at C
    if (y[i] < 0) continue;
    while (j < n && y[j] > 0) ++j;
    if (j == n) break;
    warm.start[i] = i % 3 ? 1 : 2, warm.start[j] = -warm.start[i], ++j;
  }
  std::vector<Named> all{
      {"C-SVC", c_svc(y, equal)}, {"weighted C-SVC", c_svc(y, weighted)}, {"ε-SVR", epsilon_svr(z, 1.5, 0.1)},
      {"ν-SVC", nu_svc(y, 0.3)},  {"one-class", one_class(n, 0.2)},       {"backwards C-SVC", shuffled},
      {"warm C-SVC", warm}};
  all.push_back({"part of ε-SVR", part(epsilon_svr(z, 1, 0.2), std::int32_t(n / 2))});
  return all;
}

Setting usual() { return Setting(random_rows(90, 3, 1), 0.5, {40, 0, 50}, 20); }

void expect_solution(const Setting& setting, const BoxQp& problem, const SmoResult& found, double tolerance,
                     double minimum, const std::string& what) {
  ASSERT_NO_FATAL_FAILURE(expect_feasible(problem, found.beta, what));
  EXPECT_TRUE(found.converged) << what;
  EXPECT_FALSE(found.stopped) << what;
  EXPECT_LE(violation(problem, setting.K, found.beta), tolerance + 1e-11) << what;
  const double value = objective(problem, setting.K, found.beta), scale = 1 + std::abs(minimum);
  EXPECT_GE(value, minimum - 1e-9 * scale) << what;
  EXPECT_LE(value - minimum, found.certificate.gap + 1e-9 * scale) << what;
  EXPECT_LE(value - minimum, tolerance * double(problem.size())) << what;
  // What it says of itself is true.
  const auto f = products(problem, setting.K, found.beta);
  ASSERT_EQ(found.f.size(), setting.rows.size());
  for (const std::int32_t point : problem.points)
    ASSERT_NEAR(found.f[std::size_t(point)], f[std::size_t(point)], 1e-11 * scale)
        << what << " point " << point;
  const Certificate expected = certify(problem, found.beta, f);
  EXPECT_NEAR(found.certificate.objective, value, 1e-10 * scale) << what;
  EXPECT_NEAR(found.certificate.violation, expected.violation, 1e-10) << what;
  EXPECT_NEAR(found.certificate.gap, expected.gap, 1e-9 * scale) << what;
  for (int g = 0; g < 2; ++g) EXPECT_NEAR(found.certificate.rho[g], expected.rho[g], 1e-10) << what;
}

TEST(Smo, SolvesEveryProblemWithEveryWorkingSet) {
  const Setting setting = usual();
  for (const auto& [name, problem] : every_problem(setting)) {
    const double minimum = objective(problem, setting.K, reference_solution(problem, setting.K));
    for (const double tolerance : {1e-3, 1e-6})
      for (const std::size_t working_set : {2, 3, 4, 7, 16, 64, 1024})
        for (const auto& [cheap, held] : {std::pair(false, 0), {true, 0}, {true, 1000}}) {
          const SmoOptions options{.tolerance = tolerance,
                                   .working_set = working_set,
                                   .largest_held = std::size_t(held),
                                   .cheap_entries = cheap};
          const std::string what =
              name + ", working set of " + std::to_string(working_set) + (held ? ", held" : "");
          ASSERT_NO_FATAL_FAILURE(expect_solution(setting, problem, setting.solve<float>(problem, options),
                                                  tolerance, minimum, what + ", float32"));
          ASSERT_NO_FATAL_FAILURE(expect_solution(setting, problem, setting.solve<double>(problem, options),
                                                  tolerance, minimum, what + ", float64"));
        }
  }
}

TEST(Smo, SolvesWithLittleMemory) {
  const Setting setting = usual();
  for (const auto& [name, problem] : every_problem(setting)) {
    const double minimum = objective(problem, setting.K, reference_solution(problem, setting.K));
    const auto accepted = [&](std::size_t memory) {
      try {
        RowStore<float>(setting.narrow, setting.segments, memory, 1);
        return true;
      } catch (const Error&) {
        return false;
      }
    };
    std::size_t least = 64;  // two rows
    while (!accepted(least)) least += 64;
    for (const std::size_t memory : {least, 3 * least, 20 * least})
      ASSERT_NO_FATAL_FAILURE(
          expect_solution(setting, problem, setting.solve<float>(problem, {.tolerance = 1e-4}, 1, memory),
                          1e-4, minimum, name + " in " + std::to_string(memory) + " bytes"));
  }
}

TEST(Smo, GivesTheSameBitsForAnyNumberOfThreads) {
  const Setting setting(random_rows(300, 3, 2), 0.5, {120, 180}, 50);
  for (const auto& [name, problem] : every_problem(setting))
    for (const std::size_t working_set : {60, 1024})
      for (const auto& [cheap, held] : {std::pair(false, 0), {true, 0}, {true, 1000}}) {
        const SmoOptions options{.tolerance = 1e-2,
                                 .working_set = working_set,
                                 .largest_held = std::size_t(held),
                                 .cheap_entries = cheap};
        const SmoResult one = setting.solve<float>(problem, options, 1);
        EXPECT_TRUE(one.converged) << name;
        for (const int threads : {2, 4}) {
          const SmoResult several = setting.solve<float>(problem, options, threads);
          EXPECT_TRUE(several.beta == one.beta && several.f == one.f && several.steps == one.steps)
              << name << ' ' << threads;
        }
      }
}

TEST(Smo, DoesNotDependOnWhatTheStoreHolds) {
  const Setting setting = usual();
  RowStore<float> store(setting.narrow, setting.segments, plenty, 1);
  for (const auto& [name, problem] : every_problem(setting)) {
    const SmoOptions options{.tolerance = 1e-4, .working_set = 20};
    EXPECT_EQ(smo(problem, store, setting.exact, options).beta, setting.solve<float>(problem, options).beta)
        << name;
  }
}

TEST(Smo, RepairsWhatFloat32Rounds) {
  // A large C makes f large, and its rounding in float32 larger than the tolerance.
  const Setting setting(random_rows(80, 2, 5), 2, {80}, 80);
  const auto y = noisy_signs(setting.rows, 6);
  const BoxQp problem = c_svc(y, std::vector<double>(80, 1e4));
  const SmoOptions options{.tolerance = 1e-5, .working_set = 40};
  const SmoResult found = setting.solve<float>(problem, options),
                  exact = setting.solve<double>(problem, options);
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.repairs, 1u);  // the first look is at the end of the rounds, the second after a repair
  EXPECT_EQ(exact.repairs, 1u);
  EXPECT_LE(violation(problem, setting.K, found.beta), 1e-5 + 1e-8);
  expect_feasible(problem, found.beta, "large C");
}

// A number that all gradients share changes nothing; float32 must not be spent on it.
TEST(Smo, SolvesTargetsFarFromZero) {
  const Setting setting(random_rows(150, 2, 5), 0.8, {150}, 64);
  std::vector<double> near = waves(setting.rows, 6), far = near;
  for (double& z : far) z += 1 << 20;
  for (const std::size_t working_set : {16, 1024}) {
    const SmoOptions options{.tolerance = 1e-4, .working_set = working_set};
    const SmoResult a = setting.solve<float>(epsilon_svr(near, 30, 0.1), options),
                    b = setting.solve<float>(epsilon_svr(far, 30, 0.1), options);
    EXPECT_TRUE(a.converged && b.converged) << working_set;
    EXPECT_NEAR(b.certificate.rho[0], a.certificate.rho[0] - (1 << 20), 1e-3);
    for (std::size_t v = 0; v < a.f.size(); ++v) EXPECT_NEAR(a.f[v], b.f[v], 1e-2);
  }
}

TEST(Smo, StartsFromTheSolutionWithoutAStep) {
  const Setting setting = usual();
  for (auto [name, problem] : every_problem(setting)) {
    const SmoResult first = setting.solve<float>(problem, {.tolerance = 1e-4});
    EXPECT_GT(first.steps, 0u);
    problem.start = first.beta;
    const SmoResult again = setting.solve<float>(problem, {.tolerance = 1e-4});
    EXPECT_TRUE(again.converged) << name;
    EXPECT_EQ(again.steps, 0u) << name;
    EXPECT_EQ(again.rounds, 0u) << name;
    EXPECT_EQ(again.beta, first.beta) << name;
    EXPECT_NEAR(again.certificate.objective, first.certificate.objective, 1e-10) << name;
  }
}

// Squares of a board with some labels turned: most points are far from any border, and neighbours violate
// alike.
TEST(Smo, LeavesOutWhatIsSettledAndIsRightAboutAll) {
  Random random(9);
  std::vector<std::vector<double>> rows;
  std::vector<double> y;
  for (int i = 0; i < 4200; ++i) {
    rows.push_back({random.uniform(0, 4), random.uniform(0, 4)});
    y.push_back((int(rows.back()[0]) + int(rows.back()[1])) % 2 == (random.below(20) != 0) ? 1 : -1);
  }
  const Setting setting(rows, 2, {rows.size()}, 1000);
  const BoxQp svc = c_svc(y, std::vector<double>(rows.size(), 20)), one = one_class(rows.size(), 0.1);
  for (const BoxQp* problem_of : {&svc, &one}) {
    const BoxQp& problem = *problem_of;
    const SmoResult result = setting.solve<float>(problem, {.working_set = 64, .cheap_entries = true});
    EXPECT_TRUE(result.shrinks > 0 || &problem != &svc);
    EXPECT_EQ(
        setting.solve<float>(problem, {.working_set = 64, .cheap_entries = true, .shrinking = false}).shrinks,
        0u);
    expect_solution(setting, problem, result, 1e-3, result.certificate.objective, "shrunk");
    const SmoResult again =
        setting.solve<float>(problem, {.working_set = 64, .cheap_entries = true}, 2, std::size_t(1) << 22);
    EXPECT_EQ(result.beta, again.beta);
    EXPECT_EQ(result.steps, again.steps);
  }
}

// Rows are held from the start, or after a sample showed many support vectors; what is left is then solved on
// the variables nearest to violating, in other memory than the rows'.
TEST(Smo, HoldsRowsAndStillLeavesOutWhatIsSettled) {
  for (const std::size_t n : {1300, 4200}) {
    const Setting setting(random_rows(n, 3, 7), 0.3, {n}, 1000);
    const BoxQp problem = c_svc(noisy_signs(setting.rows, 5), std::vector<double>(n, 30));
    const SmoOptions options{.working_set = 64, .largest_held = 5000, .cheap_entries = true};
    const SmoResult result = setting.solve<float>(problem, options);
    EXPECT_GT(result.shrinks, 0u);
    expect_solution(setting, problem, result, 1e-3, result.certificate.objective, "held");
    const SmoResult rounds = setting.solve<float>(problem, {.working_set = 64, .cheap_entries = true});
    EXPECT_NEAR(result.certificate.objective, rounds.certificate.objective,
                result.certificate.gap + rounds.certificate.gap);
    EXPECT_EQ(setting.solve<float>(problem, options, 2).beta, result.beta);
  }
}

TEST(Smo, StopsWhereItIsToldTo) {
  const Setting setting = usual();
  for (const auto& [name, problem] : every_problem(setting))
    for (const int calls : {1, 3}) {
      int called = 0;
      SmoOptions options{.tolerance = 1e-8, .working_set = 4};
      options.progress = [&](std::string_view what, double fraction) {
        if (what == "certificate") return false;  // which is not stopped
        EXPECT_TRUE(what.starts_with("violation "));
        EXPECT_TRUE(called > 0 || fraction == 0);
        return ++called < calls;
      };
      const SmoResult found = setting.solve<float>(problem, options);
      EXPECT_EQ(called, calls) << name;
      EXPECT_TRUE(found.stopped) << name;
      EXPECT_FALSE(found.converged) << name;
      EXPECT_EQ(found.rounds, std::size_t(calls - 1)) << name;
      expect_feasible(problem, found.beta, name);
      EXPECT_NEAR(found.certificate.violation, violation(problem, setting.K, found.beta), 1e-10) << name;
      EXPECT_NEAR(found.certificate.objective, objective(problem, setting.K, found.beta), 1e-10) << name;
    }
}

TEST(Smo, TakesNoMoreStepsThanAllowed) {
  const Setting setting = usual();
  for (const auto& [name, problem] : every_problem(setting))
    for (const std::size_t working_set : {6, 1024})
      for (const std::size_t most : {1, 2, 13}) {
        const SmoResult found = setting.solve<float>(
            problem, {.tolerance = 1e-9, .working_set = working_set, .most_steps = most});
        EXPECT_EQ(found.steps, most) << name;
        EXPECT_FALSE(found.converged) << name;
        EXPECT_FALSE(found.stopped) << name;
        expect_feasible(problem, found.beta, name);
        EXPECT_NEAR(found.certificate.violation, violation(problem, setting.K, found.beta), 1e-10) << name;
        EXPECT_LT(objective(problem, setting.K, found.beta), objective(problem, setting.K, start_of(problem)))
            << name;
      }
}

TEST(Smo, SolvesEqualPointsOfBothClasses) {
  auto rows = random_rows(30, 2, 7);
  const auto copy = rows;
  rows.insert(rows.end(), copy.begin(), copy.end());
  const Setting setting(rows, 1, {60}, 25);
  std::vector<double> y(60, 1);
  for (std::size_t i = 30; i < 60; ++i) y[i] = -1;  // every point in both classes
  const BoxQp problem = c_svc(y, std::vector<double>(60, 2.0));
  const double minimum = objective(problem, setting.K, reference_solution(problem, setting.K));
  for (const std::size_t working_set : {2, 5, 30, 100})
    for (const bool cheap : {false, true}) {
      const SmoOptions options{.tolerance = 1e-5, .working_set = working_set, .cheap_entries = cheap};
      expect_solution(setting, problem, setting.solve<float>(problem, options), 1e-5, minimum,
                      "equal points");
      expect_solution(setting, problem, setting.solve<double>(problem, options), 1e-5, minimum,
                      "equal points");
    }
}

TEST(Smo, FindsPairsWhereGroupsTie) {
  // The second group mirrors the first, so that both violate alike at every step.
  auto rows = random_rows(20, 2, 8);
  const auto copy = rows;
  for (const auto& row : copy) rows.push_back({row[0] + 1000, row[1]});
  const Setting setting(rows, 1, {40}, 40);
  std::vector<double> y(40, 1);
  for (std::size_t i = 20; i < 40; ++i) y[i] = -1;
  for (const bool swapped : {false, true}) {
    BoxQp problem = nu_svc(y, 0.35);
    if (swapped)
      for (auto& group : problem.groups) group = std::uint8_t(1 - group);
    const double minimum = objective(problem, setting.K, reference_solution(problem, setting.K));
    for (const std::size_t working_set : {2, 3, 4, 5, 8})
      expect_solution(setting, problem,
                      setting.solve<double>(problem, {.tolerance = 1e-6, .working_set = working_set}), 1e-6,
                      minimum, "a working set of " + std::to_string(working_set));
  }
}

TEST(Smo, FindsAPairWhereTheFirstViolatorsAreOfTwoGroups) {
  const Setting setting({{0}, {1000}, {2000}, {3000}}, 1, {4}, 4);  // K = I
  BoxQp problem;
  for (const double s : {-1.0, 1.0, 1.0, -1.0})
    add_variable(problem, problem.size(), s, s > 0 ? -3 : 0, s > 0 ? 0 : 3);
  problem.groups = {0, 1, 0, 1};  // 0 rises against 2, and 3 against 1
  const SmoResult found = setting.solve<double>(problem, {.tolerance = 1e-6, .working_set = 2});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.beta, (std::vector<double>{1, -1, -1, 1}));
}

TEST(Smo, AddsUpManyRows) {  // more than one block of exact products holds
  const Setting setting(random_rows(600, 2, 3), 1, {600}, 250);
  BoxQp problem = one_class(600, 0.8);
  const SmoResult found = setting.solve<float>(problem, {.tolerance = 1e-3, .working_set = 200});
  EXPECT_TRUE(found.converged);
  EXPECT_GT(std::ranges::count_if(found.beta, [](double value) { return value != 0; }), 400);
  const auto f = products(problem, setting.K, found.beta);
  for (std::size_t i = 0; i < f.size(); ++i) ASSERT_NEAR(found.f[i], f[i], 1e-10) << i;
  expect_feasible(problem, found.beta, "many rows");
}

TEST(Smo, EndsOnAnIndefiniteKernel) {
  const auto rows = random_rows(80, 3, 9);
  const Points points = as_points(rows);
  const Kernel kernel = Kernel::parse("sigmoid(scale=2, offset=-1)");
  const KernelOperator<double> exact(kernel, points, {.threads = 1});
  const KernelOperator<float> narrow(kernel, points, {.threads = 1});
  Matrix64 K(80, std::vector<double>(80));
  for (std::size_t i = 0; i < 80; ++i)
    for (std::size_t j = 0; j < 80; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < 3; ++k) dot += rows[i][k] * rows[j][k];
      K[i][j] = std::tanh(2 * dot - 1);
    }
  const auto y = noisy_signs(rows, 10);
  for (const BoxQp& problem :
       {c_svc(y, std::vector<double>(80, 3.0)), epsilon_svr(waves(rows, 1), 2, 0.1), nu_svc(y, 0.3)})
    for (const std::size_t working_set : {4, 30, 1024}) {
      RowStore<float> store(narrow, cut_segments(std::vector<std::size_t>{80}, 30), plenty, 1);
      const SmoResult found =
          smo(problem, store, exact, {.tolerance = 1e-3, .working_set = working_set, .most_steps = 200000});
      expect_feasible(problem, found.beta, "sigmoid");
      EXPECT_LE(found.steps, 200000u);
      EXPECT_NEAR(found.certificate.violation, violation(problem, K, found.beta), 1e-9);
      EXPECT_EQ(found.converged, found.certificate.violation <= 1e-3);
      EXPECT_TRUE(found.converged);
      EXPECT_LT(objective(problem, K, found.beta), objective(problem, K, start_of(problem)));
    }
}

TEST(Smo, TakesProblemsWithLittleToDecide) {
  const Setting setting = usual();
  const auto solve = [&](const BoxQp& problem) { return setting.solve<float>(problem, {}); };
  EXPECT_TRUE(solve({}).converged);
  BoxQp one;
  add_variable(one, 5, -1, 0, 1);
  EXPECT_EQ(solve(one).beta, std::vector<double>{0});
  BoxQp two = one;
  add_variable(two, 7, 1, -1, 0);
  const SmoResult found = solve(two);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.beta, (std::vector<double>{1, -1}));
  const Setting single({{1, 2}}, 1, {1}, 10);  // ε-SVR of one point: nothing can move
  EXPECT_EQ(single.solve<float>(epsilon_svr({3}, 1, 0.1), {}).beta, (std::vector<double>{0, 0}));
  EXPECT_TRUE(single.solve<double>(one_class(1, 0.5), {}).converged);
  const auto y = noisy_signs(setting.rows, 11);
  BoxQp fixed = c_svc(y, std::vector<double>(y.size(), 0.0));  // no room at all
  EXPECT_TRUE(solve(fixed).converged);
  EXPECT_EQ(solve(fixed).steps, 0u);
}

}  // namespace
}  // namespace mercer
