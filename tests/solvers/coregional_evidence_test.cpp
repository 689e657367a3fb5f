#include "solvers/coregional_evidence.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "base/random.hpp"
#include "elimination.hpp"

namespace mercer {
namespace {

struct IcmProblem {
  CoregionalEvidence::Data data;
  std::vector<double> t;
};

// Each number is missing with this probability.
IcmProblem icm_problem(std::size_t n, std::size_t p, std::size_t rank, double missing, bool weighted) {
  Random random(n + 10 * p + rank);
  std::vector<std::vector<double>> rows;
  IcmProblem made;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({random.normal(), random.normal()});
    made.data.noise_factors.push_back(weighted ? random.uniform(0.3, 3) : 1);
    for (std::size_t j = 0; j < p; ++j)
      made.data.targets.push_back(random.uniform() < missing && i > 0 ? std::nan("") : random.normal());
  }
  made.data.points = Points(rows);
  made.data.outputs = p;
  made.data.rank = rank;
  made.t = {std::log(1.3), std::log(0.7)};  // of 1.3*rbf(gamma=0.7)
  for (std::size_t e = 0; e < p * rank; ++e) made.t.push_back(random.normal());
  for (std::size_t e = 0; e < 2 * p; ++e) made.t.push_back(random.uniform(-2, 0));
  return made;
}

double icm_kernel(const Points& points, std::size_t i, std::size_t j, std::span<const double> t) {
  const auto x = points.row(i), z = points.row(j);
  return std::exp(t[0] - std::exp(t[1]) * (std::pow(x[0] - z[0], 2) + std::pow(x[1] - z[1], 2)));
}

// Σ of the numbers there are, entry by entry, its determinant and Σ⁻¹y by elimination.
struct DenseCovariance {
  std::vector<std::size_t> seen;
  std::vector<double> S, y, alpha;
  double value;

  DenseCovariance(const CoregionalEvidence& evidence, const IcmProblem& problem) {
    const auto& d = problem.data;
    const std::size_t p = d.outputs;
    const std::vector<double> B = evidence.mixing(problem.t), noise = evidence.noise(problem.t);
    for (std::size_t e = 0; e < d.targets.size(); ++e)
      if (!std::isnan(d.targets[e])) seen.push_back(e), y.push_back(d.targets[e]);
    const std::size_t N = seen.size();
    for (const std::size_t a : seen)
      for (const std::size_t b : seen)
        S.push_back(B[a % p * p + b % p] * icm_kernel(d.points, a / p, b / p, problem.t) +
                    (a == b ? noise[a % p] * d.noise_factors[a / p] : 0));
    alpha = testing::eliminate(S, y);
    std::vector<double> A = S;
    double log_determinant = 0;
    for (std::size_t j = 0; j < N; ++j) {
      log_determinant += std::log(A[j * N + j]);
      for (std::size_t i = j + 1; i < N; ++i) {
        const double part = A[i * N + j] / A[j * N + j];
        for (std::size_t l = j; l < N; ++l) A[i * N + l] -= part * A[j * N + l];
      }
    }
    value = -0.5 * log_determinant - 0.5 * double(N) * std::log(2 * std::numbers::pi);
    for (std::size_t a = 0; a < N; ++a) value -= 0.5 * y[a] * alpha[a];
  }
};

TEST(CoregionalEvidence, IsThatOfTheDenseCovariance) {
  for (const std::size_t n : {1u, 2u, 12u})
    for (const std::size_t p : {1u, 2u, 3u})
      for (const std::size_t rank : {std::size_t(1), p})
        for (const double missing : {0.0, 0.4})
          for (const bool weighted : {false, true}) {
            SCOPED_TRACE(fmt::format("{} rows, {} outputs, rank {}, {} missing", n, p, rank, missing));
            const IcmProblem problem = icm_problem(n, p, rank, missing, weighted);
            CoregionalEvidence evidence(problem.data, KernelCoordinates(Kernel::parse("1.3*rbf(gamma=0.7)")),
                                        1, {});
            const double value = evidence(problem.t);
            const DenseCovariance dense(evidence, problem);
            EXPECT_NEAR(value, dense.value, 1e-9 * (1 + std::abs(dense.value)));
            for (std::size_t a = 0; a < dense.seen.size(); ++a)
              EXPECT_NEAR(evidence.alpha()[dense.seen[a]], dense.alpha[a], 1e-8);
            // The mean and the variance of each output at a new place.
            const std::vector<double> B = evidence.mixing(problem.t), C = evidence.coefficients(),
                                      P = evidence.precision();
            std::vector<double> k(n);
            const std::vector<double> place{0.3, -0.2};
            for (std::size_t i = 0; i < n; ++i) {
              const auto x = problem.data.points.row(i);
              k[i] = std::exp(problem.t[0] - std::exp(problem.t[1]) * (std::pow(x[0] - place[0], 2) +
                                                                       std::pow(x[1] - place[1], 2)));
            }
            for (std::size_t o = 0; o < p; ++o) {
              std::vector<double> cross;
              for (const std::size_t a : dense.seen) cross.push_back(B[o * p + a % p] * k[a / p]);
              const std::vector<double> solved = testing::eliminate(dense.S, cross);
              double mean = 0, reduction = 0, our_mean = 0, our_reduction = 0;
              for (std::size_t a = 0; a < cross.size(); ++a) {
                mean += cross[a] * dense.alpha[a];
                reduction += cross[a] * solved[a];
              }
              for (std::size_t i = 0; i < n; ++i) {
                our_mean += k[i] * C[i * p + o];
                for (std::size_t j = 0; j < n; ++j) our_reduction += k[i] * P[(o * n + i) * n + j] * k[j];
              }
              EXPECT_NEAR(our_mean, mean, 1e-9);
              EXPECT_NEAR(our_reduction, reduction, 1e-9);
            }
          }
}

TEST(CoregionalEvidence, HasTheGradientOfItsDifferences) {
  for (const double missing : {0.0, 0.4})
    for (const std::size_t rank : {1u, 2u}) {
      IcmProblem problem = icm_problem(14, 3, rank, missing, true);
      CoregionalEvidence evidence(problem.data, KernelCoordinates(Kernel::parse("1.3*rbf(gamma=0.7)")), 2,
                                  {});
      std::vector<double> gradient(problem.t.size());
      evidence(problem.t, gradient);
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        std::vector<double> above = problem.t, below = problem.t;
        above[i] += 1e-5;
        below[i] -= 1e-5;
        EXPECT_NEAR(gradient[i], (evidence(above) - evidence(below)) / 2e-5, 1e-5) << i;
      }
    }
}

}  // namespace
}  // namespace mercer
