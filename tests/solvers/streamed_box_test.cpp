// Box problems over features of landmarks by passes, against plain steps over K = ΦΦᵀ.
#include "solvers/streamed_box.hpp"

#include "random_points.hpp"
#include "solvers/box_problems.hpp"
#include "solvers/landmark_map.hpp"

namespace mercer {
namespace {

struct Streamed {
  Points points;
  LandmarkMap map;
  RowFeatures features;

  Streamed(std::size_t n, std::size_t landmarks, int threads = 2)
      : points(as_points(random_rows(n, 3, n))),
        map(make_landmark_map({MapName::Kind::nystrom, landmarks}, Kernel::parse("rbf(gamma=0.4)"), points,
                              {})),
        features(map.map, points, threads, 0) {}

  double signal(std::size_t i) const { return points.row(i)[0] + points.row(i)[1] * points.row(i)[2]; }
  Matrix64 K() const {
    const std::size_t n = points.rows(), p = features.features();
    std::vector<std::vector<double>> phi(n, std::vector<double>(p));
    const Points table = features.table();
    for (std::size_t i = 0; i < n; ++i) table.copy_row(i, phi[i]);
    Matrix64 K(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < p; ++k) K[i][j] += phi[i][k] * phi[j][k];
    return K;
  }
};

struct Targets {
  std::vector<double> y, z, C;

  Targets(const Streamed& of, double noise, double most, Random& random) {
    for (std::size_t i = 0; i < of.points.rows(); ++i) {
      z.push_back(of.signal(i) + noise * random.normal());
      y.push_back(i < 2 ? double(i) * 2 - 1 : z[i] > 0.3 ? 1 : -1);
      C.push_back(most * (i % 5 == 4 ? 0.25 : 1));
    }
  }
};

TEST(StreamedBox, FindsTheMinimumOfPlainSteps) {
  Random random(3);
  for (const std::size_t n : {2u, 3u, 40u, 150u}) {
    const Streamed rows(n, 12);
    const Matrix64 K = rows.K();
    for (const double C : {1e-4, 0.3, 100.0})
      for (const double tolerance : {1e-3, 1e-6}) {
        const Targets targets(rows, 0.5, C, random);
        BoxQp weighted = c_svc(targets.y, targets.C);
        weighted.lower[0] = weighted.upper[0] = 0;  // a row without weight
        const BoxQp problems[] = {c_svc(targets.y, targets.C), weighted, epsilon_svr(targets.z, C, 0.2),
                                  epsilon_svr(targets.z, C, 0), one_class(n, 0.3)};
        for (const BoxQp& problem : problems) {
          const std::string what = std::to_string(&problem - problems) + ", n " + std::to_string(n) + ", C " +
                                   std::to_string(C) + ", tolerance " + std::to_string(tolerance);
          const SmoResult found = stream_box(problem, rows.features, {.tolerance = tolerance});
          expect_feasible(problem, found.beta, what);
          // A tolerance of 1e-8 C is at the edge of what rounding allows: then the certificate says so.
          if (!found.converged && C == 100 && tolerance == 1e-6) {
            EXPECT_NEAR(violation(problem, K, found.beta), found.certificate.violation,
                        1e-6 * found.certificate.violation)
                << what;
            continue;
          }
          EXPECT_TRUE(found.converged) << what;
          EXPECT_LE(violation(problem, K, found.beta), 1.01 * tolerance + 1e-9) << what;
          EXPECT_NEAR(violation(problem, K, found.beta), found.certificate.violation, 1e-2 * tolerance + 1e-9)
              << what;
          const double least = objective(problem, K, reference_solution(problem, K));
          EXPECT_NEAR(objective(problem, K, found.beta), found.certificate.objective,
                      1e-8 * (1 + std::abs(least)));
          EXPECT_LE(found.certificate.objective - least, found.certificate.gap + 1e-9 * (1 + std::abs(least)))
              << what;
          const std::vector<double> f = products(problem, K, found.beta);
          for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(found.f[i], f[i], 1e-7 * (1 + std::abs(f[i])));
        }
      }
  }
}

// So many rows that a sample is solved first, and that few are near a kink; one thread or several.
TEST(StreamedBox, SolvesProblemsOfManyRows) {
  const Streamed rows(20'000, 30), alone(20'000, 30, 1);
  Random random(12);
  for (const double noise : {0.0, 1.0}) {
    const Targets targets(rows, noise, 2, random);
    for (const BoxQp& problem : {c_svc(targets.y, targets.C), epsilon_svr(targets.z, 1, 0.1)}) {
      const SmoResult found = stream_box(problem, rows.features, {.tolerance = 1e-3});
      expect_feasible(problem, found.beta, "many rows");
      EXPECT_TRUE(found.converged);
      EXPECT_LE(found.certificate.violation, 1e-3);
      EXPECT_LE(found.certificate.gap, 1e-3 * std::abs(found.certificate.objective));
      EXPECT_EQ(found.beta, stream_box(problem, alone.features, {.tolerance = 1e-3}).beta);
    }
  }
}

TEST(StreamedBox, StopsWhereAskedWithAFeasibleSolution) {
  const Streamed rows(9000, 10);
  Random random(5);
  const Targets targets(rows, 1, 1, random);
  const BoxQp problem = c_svc(targets.y, targets.C);
  for (const int after : {0, 1, 5, 20}) {
    int told = 0;
    const SmoResult found = stream_box(
        problem, rows.features, {.progress = [&](std::string_view, double) { return told++ < after; }});
    EXPECT_TRUE(found.stopped);
    expect_feasible(problem, found.beta, "stopped");
  }
  // What is there near the end is nearly as good as the end.
  int all = 0;
  const SmoResult whole =
      stream_box(problem, rows.features, {.progress = [&](std::string_view, double) { return ++all > 0; }});
  for (const int after : {all - all / 4, all - 1}) {
    int told = 0;
    const SmoResult found = stream_box(
        problem, rows.features, {.progress = [&](std::string_view, double) { return told++ < after; }});
    EXPECT_TRUE(found.stopped);
    EXPECT_LE(found.certificate.objective, 0.9 * whole.certificate.objective);  // both below 0
  }
}

}  // namespace
}  // namespace mercer
