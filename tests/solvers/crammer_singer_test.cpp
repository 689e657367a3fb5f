#include "solvers/crammer_singer.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "solvers/linear_machines.hpp"

namespace mercer {
namespace {

struct ClassData {
  testing::LinearData data;
  std::vector<std::int32_t> codes;
};

ClassData class_data(std::size_t n, std::size_t d, std::int32_t classes, std::uint64_t seed) {
  ClassData made{testing::linear_data(n, d, seed, false), {}};
  Random random(seed + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double z = made.data.y[i] + 0.3 * random.normal();
    made.codes.push_back(std::clamp(std::int32_t(std::floor(z + classes / 2.0)), 0, classes - 1));
  }
  return made;
}

double joint_objective(const ClassData& made, std::size_t classes, const std::vector<double>& W,
                       double constant) {
  double sum = 0;
  const std::size_t p = W.size() / classes;
  for (const double w : W) sum += w * w / 2;
  for (std::size_t i = 0; i < made.codes.size(); ++i) {
    const auto own = std::size_t(made.codes[i]);
    const auto& row = made.data.rows[i];
    double largest = 0;
    for (std::size_t m = 0; m < classes; ++m)
      if (m != own)
        largest = std::max(largest, 1 + testing::value_of(row, W, constant, m * p) -
                                        testing::value_of(row, W, constant, own * p));
    sum += made.data.C[i] * largest;
  }
  return sum;
}

TEST(CrammerSinger, ClosesTheGapToItsDual) {
  for (const std::int32_t classes : {2, 3, 5})
    for (const double constant : {0.0, 2.0})
      for (const bool sparse : {false, true}) {
        ClassData made = class_data(60, 3, classes, 11);
        made.data.rows[5] = {0, 0, 0};
        const Points points = sparse ? Points(made.data.rows).to_sparse() : Points(made.data.rows);
        const auto k = std::size_t(classes);
        const CrammerSingerSolution found = solve_crammer_singer(
            {points, made.codes, k, made.data.C, constant}, {.tolerance = 1e-9, .max_passes = 100000});
        EXPECT_TRUE(found.converged);
        EXPECT_LE(found.violation, 1e-9);
        EXPECT_NEAR(found.objective, joint_objective(made, k, found.W, constant), 1e-9 * found.objective);
        // No w is below any feasible dual: their agreement is a proof of both.
        double linear = 0, norm = 0;
        for (const double w : found.W) norm += w * w;
        for (std::size_t i = 0; i < made.codes.size(); ++i) {
          const double* alpha = found.alpha.data() + i * k;
          EXPECT_NEAR(std::accumulate(alpha, alpha + k, 0.0), 0, 1e-12);
          for (std::size_t m = 0; m < k; ++m) {
            const bool own = m == std::size_t(made.codes[i]);
            EXPECT_LE(alpha[m], own ? made.data.C[i] : 0.0);
            if (!own) linear += alpha[m];
          }
        }
        EXPECT_NEAR(found.dual, -norm / 2 - linear, 1e-9 * found.objective);
        EXPECT_NEAR(found.dual, found.objective, 1e-6 * found.objective);
      }
}

TEST(CrammerSinger, EndsAfterThePassesThatItMayTake) {
  const ClassData made = class_data(60, 3, 3, 12);
  const Points points(made.data.rows);
  const CrammerSingerSolution two =
      solve_crammer_singer({points, made.codes, 3, made.data.C, 1}, {.tolerance = 1e-12, .max_passes = 2});
  EXPECT_EQ(two.passes, 2u);
  EXPECT_FALSE(two.converged);
  const CrammerSingerSolution stopped =
      solve_crammer_singer({points, made.codes, 3, made.data.C, 1},
                           {.tolerance = 1e-12, .progress = [](std::string_view, double) { return false; }});
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.passes, 1u);
}

}  // namespace
}  // namespace mercer
