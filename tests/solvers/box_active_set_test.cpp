#include "solvers/box_active_set.hpp"

#include <gtest/gtest.h>

#include "solvers/box_problems.hpp"
#include "solvers/box_system.hpp"

namespace mercer {
namespace {

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
