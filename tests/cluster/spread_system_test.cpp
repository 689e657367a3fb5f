#include "cluster/spread_system.hpp"

#include <gtest/gtest.h>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

// Gaussian elimination on S K S + cI of all rows.
std::vector<double> eliminated(const Kernel& kernel, const Points& all, const std::vector<double>& s,
                               double c, std::vector<double> R, std::size_t k) {
  const std::size_t n = all.rows();
  std::vector<double> A(n * n);
  KernelOperator<double>(kernel, all, all, {.threads = 1}).matrix(A);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] = s[i] * A[i * n + j] * s[j] + (i == j ? c : 0);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = p + 1; i < n; ++i) {
      const double factor = A[i * n + p] / A[p * n + p];
      for (std::size_t j = p; j < n; ++j) A[i * n + j] -= factor * A[p * n + j];
      for (std::size_t q = 0; q < k; ++q) R[i * k + q] -= factor * R[p * k + q];
    }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t q = 0; q < k; ++q) {
      for (std::size_t j = i + 1; j < n; ++j) R[i * k + q] -= A[i * n + j] * R[j * k + q];
      R[i * k + q] /= A[i * n + i];
    }
  return R;
}

void expect_solution(std::size_t rows, std::size_t k, bool weighted, std::size_t memory, const char* text,
                     double c = 0.05) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Kernel kernel = Kernel::parse(text);
  const Points all = random_rows(rows, 3);
  std::vector<double> s(rows, 1.0);
  for (std::size_t i = 0; weighted && i < rows; ++i) s[i] = 0.5 + double(i % 3);
  const std::vector<double> R = random_numbers(rows * k), expected = eliminated(kernel, all, s, c, R, k);
  SpreadSystem system(ranks, kernel, share_of(ranks, all), {.threads = 1, .memory = memory});
  std::vector<double> X(system.own_rows() * k);
  const auto own_s = share_of(ranks, s, 1);
  const auto solution = system.solve(weighted ? std::span<const double>(own_s) : std::span<const double>(), c,
                                     share_of(ranks, R, k), k, 1e-9, X);
  EXPECT_TRUE(solution.converged) << solution.residual;
  EXPECT_LE(solution.residual, 1e-9);
  const auto own = share_of(ranks, expected, k);
  for (std::size_t e = 0; e < X.size(); ++e) EXPECT_NEAR(X[e], own[e], 1e-5);
}

TEST(SpreadSystem, SolvesAsElimination) {
  expect_solution(200, 1, false, 1 << 28, "rbf(gamma=0.5)");
  expect_solution(200, 3, true, 1 << 28, "rbf(gamma=0.5)");
  expect_solution(150, 2, true, 1 << 14, "rbf(gamma=0.5) + linear");  // nothing held
}

// Bᵀ(K ⊗ I)B + cI by definition, B = diag(s)(I − uuᵀ) of each row.
void expect_coupled(std::size_t rows, std::size_t outputs, std::size_t memory) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const Points all = random_rows(rows, 3);
  const std::size_t size = rows * outputs;
  std::vector<double> s(size), u(size), K(rows * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    double total = 0;
    for (std::size_t o = 0; o < outputs; ++o) total += u[i * outputs + o] = 1 + double((i + 2 * o) % 5);
    for (std::size_t o = 0; o < outputs; ++o)
      s[i * outputs + o] = u[i * outputs + o] = std::sqrt(u[i * outputs + o] / total);
  }
  KernelOperator<double>(kernel, all, all, {.threads = 1}).matrix(K);
  std::vector<double> B(size * size, 0.0), A(size * size, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t a = 0; a < outputs; ++a)
      for (std::size_t b = 0; b < outputs; ++b)
        B[(i * outputs + a) * size + i * outputs + b] =
            s[i * outputs + a] * ((a == b) - u[i * outputs + a] * u[i * outputs + b]);
  const auto block = [&](std::size_t i, std::size_t j, std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t o = 0; o < outputs; ++o)
      sum += B[(i * outputs + o) * size + i * outputs + a] * K[i * rows + j] *
             B[(j * outputs + o) * size + j * outputs + b];
    return sum;
  };
  const std::vector<double> R = random_numbers(size);
  SpreadSystem system(ranks, kernel, share_of(ranks, all), {.threads = 1, .memory = memory});
  const auto own_s = share_of(ranks, s, outputs), own_u = share_of(ranks, u, outputs);
  std::vector<double> X(system.own_rows() * outputs);
  const auto solution =
      system.solve(RowFactors(own_s, own_u, outputs), 0.05, share_of(ranks, R, outputs), 1e-9, X);
  EXPECT_TRUE(solution.converged) << solution.residual;
  const std::vector<double> x = ranks.gather(std::span<const double>(X), true);
  ASSERT_EQ(x.size(), size);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t a = 0; a < outputs; ++a) {
      double sum = 0.05 * x[i * outputs + a];
      for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t b = 0; b < outputs; ++b) sum += block(i, j, a, b) * x[j * outputs + b];
      EXPECT_NEAR(sum, R[i * outputs + a], 1e-7);
    }
}

TEST(SpreadSystem, SolvesForSeveralOutputsOfARow) {
  expect_coupled(60, 3, 1 << 26);
  expect_coupled(40, 2, 1 << 13);  // nothing held, and few columns of the preconditioner
  expect_coupled(2, 3, 1 << 20);
}

TEST(SpreadSystem, TakesFewerRowsThanRanks) {
  for (const std::size_t rows : {1, 2, 3}) expect_solution(rows, 2, false, 1 << 20, "rbf(gamma=0.5)");
}

// Entries of 1e40, which are infinite in float32. X is as small as K is large.
TEST(SpreadSystem, TakesKernelsBeyondFloat32) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Kernel kernel = Kernel::parse("1e40*rbf(gamma=1)");
  const Points all = random_rows(60, 3);
  const std::vector<double> R = random_numbers(60), ones(60, 1.0);
  std::vector<double> expected = eliminated(kernel, all, ones, 1e39, R, 1);
  SpreadSystem system(ranks, kernel, share_of(ranks, all), {.threads = 1});
  std::vector<double> X(system.own_rows());
  EXPECT_TRUE(system.solve({}, 1e39, share_of(ranks, R, 1), 1, 1e-9, X).converged);
  const auto own = share_of(ranks, expected, 1);
  for (std::size_t e = 0; e < X.size(); ++e) EXPECT_NEAR(1e40 * X[e], 1e40 * own[e], 1e-6);
}

TEST(SpreadSystem, BeginsFromAGuess) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(120, 3);
  SpreadSystem system(ranks, Kernel::parse("rbf(gamma=0.5)"), share_of(ranks, all), {.threads = 1});
  const auto R = share_of(ranks, random_numbers(120), 1);
  std::vector<double> X(system.own_rows());
  ASSERT_TRUE(system.solve({}, 0.1, R, 1, 1e-9, X).converged);
  const auto again = system.solve({}, 0.1, R, 1, 1e-9, X, {}, true);
  EXPECT_TRUE(again.converged);
  EXPECT_EQ(again.iterations, 0u);
}

TEST(SpreadSystem, EndsWhereAskedTo) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(300, 6);
  SpreadSystem system(ranks, Kernel::parse("rbf(gamma=2)"), share_of(ranks, all), {.threads = 1});
  const auto R = share_of(ranks, random_numbers(300), 1);
  std::vector<double> X(system.own_rows()), seen(system.own_rows());
  const auto stopped = system.solve({}, 1e-6, R, 1, 1e-12, X, [&](const auto& current, double) {
    current(seen);
    return false;
  });
  EXPECT_TRUE(stopped.stopped);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.iterations, 1u);
  EXPECT_EQ(X, seen);  // what a checkpoint would have kept
}

// Products, and one sum of the preconditioner: docs/cluster.md.
TEST(SpreadSystem, AnIterationSendsWhatTheCostModelSays) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Points all = random_rows(240, 5);
  SpreadSystem system(ranks, Kernel::parse("rbf(gamma=1)"), share_of(ranks, all), {.threads = 1});
  const auto R = share_of(ranks, random_numbers(480), 2);
  std::vector<double> X(system.own_rows() * 2);
  std::vector<Traffic> at;
  system.solve({}, 1e-3, R, 2, 1e-4, X, [&](const auto&, double) {
    at.push_back(ranks.traffic());
    return at.size() < 3;
  });
  ASSERT_GE(at.size(), 2u);
  EXPECT_EQ(at[1] - at[0], system.iteration_cost(2));
}

}  // namespace
}  // namespace mercer::cluster
