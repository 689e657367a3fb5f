// Every way of solving (S K S + cI) X = R against a plain Cholesky factorisation and, where K is singular,
// eigenvalues.
#include "solvers/kernel_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "operators/row_features.hpp"
#include "random_points.hpp"
#include "solvers/eigen.hpp"

namespace mercer {
namespace {

std::vector<double> normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

/// Some of them 0.
std::vector<double> weights(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> s(n);
  for (double& value : s) value = random.uniform() < 0.1 ? 0 : random.uniform(0.2, 2);
  return s;
}

std::vector<double> dense_matrix(const Kernel& kernel, const Points& points, std::span<const double> s,
                                 double c) {
  const std::size_t n = points.rows();
  std::vector<double> A(n * n);
  KernelOperator<double>(kernel, points, {.threads = 1}).matrix(A);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      A[i * n + j] = A[i * n + j] * (s.empty() ? 1 : s[i] * s[j]) + (i == j ? c : 0);
  return A;
}

std::vector<double> plain_solution(std::vector<double> A, std::vector<double> X, std::size_t k) {
  const std::size_t n = X.size() / k;
  for (std::size_t j = 0; j < n; ++j) {  // A becomes L
    for (std::size_t l = 0; l < j; ++l)
      for (std::size_t i = j; i < n; ++i) A[i * n + j] -= A[i * n + l] * A[j * n + l];
    const double root = std::sqrt(A[j * n + j]);
    for (std::size_t i = j; i < n; ++i) A[i * n + j] /= root;
  }
  for (std::size_t q = 0; q < k; ++q) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) X[i * k + q] -= A[i * n + j] * X[j * k + q];
      X[i * k + q] /= A[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) X[i * k + q] -= A[j * n + i] * X[j * k + q];
      X[i * k + q] /= A[i * n + i];
    }
  }
  return X;
}

std::vector<double> least_norm_solution(const std::vector<double>& A, const std::vector<double>& R,
                                        double smallest) {
  const std::size_t n = R.size();
  const Eigen eigen = symmetric_eigen(A, n, true);
  std::vector<double> X(n);
  for (std::size_t v = 0; v < n; ++v) {
    if (eigen.values[v] <= smallest) continue;
    double part = 0;
    for (std::size_t i = 0; i < n; ++i) part += eigen.vectors[i * n + v] * R[i];
    for (std::size_t i = 0; i < n; ++i) X[i] += eigen.vectors[i * n + v] * part / eigen.values[v];
  }
  return X;
}

double true_residual(const std::vector<double>& A, const std::vector<double>& R, const std::vector<double>& X,
                     std::size_t k) {
  const std::size_t n = R.size() / k;
  double worst = 0;
  for (std::size_t q = 0; q < k; ++q) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double value = R[i * k + q];
      for (std::size_t j = 0; j < n; ++j) value -= A[i * n + j] * X[j * k + q];
      difference += value * value;
      norm += R[i * k + q] * R[i * k + q];
    }
    worst = std::max(worst, std::sqrt(difference / norm));
  }
  return worst;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 1;
  for (std::size_t e = 0; e < a.size(); ++e) {
    largest = std::max(largest, std::abs(a[e] - b[e]));
    scale = std::max(scale, std::abs(b[e]));
  }
  return largest / scale;
}

/// "features": over the columns of the points.
KernelSystem system_by(const std::string& way, const Kernel& kernel, const Points& points, int threads = 1) {
  if (way == "features")
    return KernelSystem(std::make_shared<RowFeatures>(*RowFeatures::of(kernel, points, threads)),
                        {.threads = threads});
  return KernelSystem(kernel, points, {.threads = threads, .way = way});
}

void expect_solved(const Kernel& kernel, const Points& points, const std::string& way,
                   const std::vector<double>& s, double c, std::size_t k, const std::string& words) {
  const std::size_t n = points.rows();
  const std::vector<double> R = normals(n * k, n + k), A = dense_matrix(kernel, points, s, c);
  std::vector<double> X(n * k, 17.0);
  KernelSystem system = system_by(way, kernel, points);
  const auto solution = system.solve(s, c, R, k, 1e-12, X);
  const std::string where = way + ": " + system.reason();
  EXPECT_TRUE(solution.converged) << where << ' ' << solution.residual;
  EXPECT_FALSE(solution.minimum_norm) << where;
  EXPECT_LE(solution.residual, 1e-12) << where;
  EXPECT_NEAR(solution.residual, true_residual(A, R, X, k), 1e-13) << where;
  EXPECT_LT(largest_difference(X, plain_solution(A, R, k)), 1e-9) << where;
  EXPECT_NE(where.find(words), std::string::npos) << where;
}

TEST(KernelSystem, EveryWaySolves) {
  const Points points = as_points(random_rows(91, 3, 1));
  for (const bool scaled : {false, true})
    for (const std::size_t k : {1u, 3u, 5u}) {
      const std::vector<double> s = scaled ? weights(91, 2) : std::vector<double>{};
      for (const double c : {2.0, 0.05}) {
        expect_solved(rbf({.gamma = 0.4}), points, "cg", s, c, k, "conjugate gradients");
        expect_solved(rbf({.gamma = 0.4}), points, "cholesky", s, c, k, "float32 Cholesky");
        expect_solved(rbf({.gamma = 0.4}), points, "auto", s, c, k, "float64 Cholesky");
        expect_solved(linear(), points, "features", s, c, k, "3 features");
        expect_solved(linear(), points, "cg", s, c, k, "of rank 3 ");
      }
    }
}

TEST(KernelSystem, IsTheSameForAnyNumberOfThreads) {
  const Points points = as_points(random_rows(800, 3, 1));
  const std::vector<double> R = normals(800, 1), s = weights(800, 2);
  for (const std::string way : {"auto", "cg", "cholesky"}) {
    std::vector<double> X(800), other(800);
    KernelSystem one(rbf({.gamma = 0.4}), points, {.threads = 1, .way = way}),
        two(rbf({.gamma = 0.4}), points, {.threads = 2, .way = way});
    EXPECT_TRUE(one.solve(s, 0.1, R, 1, 1e-10, X).converged);
    EXPECT_TRUE(two.solve(s, 0.1, R, 1, 1e-10, other).converged);
    EXPECT_EQ(X, other) << way;
  }
}

TEST(KernelSystem, SmallSizesAndStorages) {
  for (const std::size_t n : {1u, 2u, 5u})
    for (const std::string way : {"auto", "cg", "cholesky"})
      for (const Kind kind : {Kind::dense64, Kind::sparse32})
        expect_solved(rbf({.gamma = 1}), as_points(random_rows(n, 1, n), kind), way, {}, 0.3, 1, "");
  expect_solved(linear(), as_points(random_rows(30, 4, 1), Kind::sparse64), "features", {}, 0.3, 2,
                "4 features");
  KernelSystem none(rbf({.gamma = 1}), Points(Dense<double>{0, 2, {}}), {});
  EXPECT_TRUE(none.solve({}, 1, {}, 1, 1e-8, {}).converged);
  EXPECT_EQ(none.size(), 0u);
}

TEST(KernelSystem, SmallRidgesNeedMore) {
  // Two tight clusters: a few large eigenvalues, and the rest near nothing.
  auto rows = random_rows(120, 2, 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (double& value : rows[i]) value = 0.05 * value + (i % 2 == 0 ? 3 : 0);
  const Points points = as_points(rows);
  for (const std::string way : {"auto", "cg", "cholesky"}) {
    std::vector<double> X(120);
    const std::vector<double> R = normals(120, 1);
    for (const double c : {1e-3, 1e-6, 1e-9}) {
      KernelSystem system = system_by(way, rbf({.gamma = 0.5}), points);
      const auto solution = system.solve({}, c, R, 1, 1e-10 / std::min(1.0, c * 1e4), X);
      EXPECT_TRUE(solution.converged)
          << way << ' ' << c << ' ' << solution.residual << ' ' << system.reason();
      EXPECT_NEAR(solution.residual, true_residual(dense_matrix(rbf({.gamma = 0.5}), points, {}, c), R, X, 1),
                  0.2 * solution.residual + 1e-15 / c);
    }
  }
}

TEST(KernelSystem, EqualRowsWithoutARidgeGiveTheLeastNorm) {
  auto rows = random_rows(40, 3, 5);
  for (std::size_t i = 0; i < 10; ++i) rows[30 + i] = rows[i];
  const Points points = as_points(rows);
  const std::vector<double> R = normals(40, 6);
  for (const bool scaled : {false, true}) {
    const std::vector<double> s = scaled ? weights(40, 2) : std::vector<double>{};
    std::vector<double> X(40);
    KernelSystem system(rbf({.gamma = 2}), points, {.threads = 1});
    const auto solution = system.solve(s, 0, R, 1, 1e-10, X);
    EXPECT_TRUE(solution.minimum_norm && solution.converged) << system.reason();
    const std::vector<double> A = dense_matrix(rbf({.gamma = 2}), points, s, 0);
    EXPECT_NEAR(solution.residual, true_residual(A, R, X, 1), 1e-12);
    EXPECT_LT(largest_difference(X, least_norm_solution(A, R, 1e-12)), 1e-8) << system.reason();
    KernelSystem flat(linear(), points, {.threads = 1});
    const auto primal = flat.solve(s, 0, R, 1, 1e-10, X);
    EXPECT_TRUE(primal.minimum_norm) << flat.reason();
    EXPECT_LT(largest_difference(X, least_norm_solution(dense_matrix(linear(), points, s, 0), R, 1e-10)),
              1e-9)
        << flat.reason();
  }
}

TEST(KernelSystem, WithoutARidgeARegularKIsSolved) {
  const Points points = as_points(random_rows(60, 6, 7));
  expect_solved(rbf({.gamma = 3}), points, "auto", {}, 0, 2, "Cholesky");
  expect_solved(rbf({.gamma = 3}), points, "cg", {}, 0, 2, "conjugate");
}

TEST(KernelSystem, ManySystemsOfOneK) {
  const Points points = as_points(random_rows(200, 4, 8));
  const Kernel kernel = rbf({.gamma = 0.1});
  for (const std::string way : {"auto", "cg", "cholesky"}) {
    KernelSystem system = system_by(way, kernel, points);
    for (const double c : {1.0, 0.01, 0.5})
      for (const std::uint64_t seed : {1u, 2u}) {
        const std::vector<double> s = weights(200, seed), R = normals(200, seed);
        std::vector<double> X(200);
        EXPECT_TRUE(system.solve(s, c, R, 1, 1e-11, X).converged);
        EXPECT_LT(largest_difference(X, plain_solution(dense_matrix(kernel, points, s, c), R, 1)), 1e-8)
            << way << ' ' << c;
        // A first guess that is the solution is left alone.
        const std::vector<double> before = X;
        const auto again = system.solve(s, c, R, 1, 1e-10, X, {}, true);
        EXPECT_EQ(again.iterations, 0u);
        EXPECT_EQ(X, before);
      }
    EXPECT_GT(system.evaluations(), 200u * 200u / 2);
  }
}

/// Bᵀ(K ⊗ I)B + cI, (n·outputs)².
std::vector<double> dense_matrix(const Kernel& kernel, const Points& points, const RowFactors& B, double c) {
  const std::size_t n = points.rows(), k = B.outputs, size = n * k;
  const std::vector<double> K = dense_matrix(kernel, points, {}, 0);
  const auto entry = [&](std::size_t i, std::size_t row, std::size_t column) {  // of diag(s)(I − uuᵀ)
    return B.s[i * k + row] * ((row == column ? 1 : 0) - B.u[i * k + row] * B.u[i * k + column]);
  };
  std::vector<double> A(size * size, 0.0);
  for (std::size_t e = 0; e < size; ++e)
    for (std::size_t f = 0; f < size; ++f) {
      for (std::size_t o = 0; o < k; ++o)
        A[e * size + f] += entry(e / k, o, e % k) * K[e / k * n + f / k] * entry(f / k, o, f % k);
      A[e * size + f] += e == f ? c : 0;
    }
  return A;
}

/// Rows of u: of length 1, as the multinomial loss has them; 0; and between.
struct RandomFactors {
  std::vector<double> s, u;
  RandomFactors(std::size_t n, std::size_t outputs, std::uint64_t seed)
      : s(weights(n * outputs, seed)), u(normals(n * outputs, seed + 1)) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = std::span(u).subspan(i * outputs, outputs);
      double length = 0;
      for (const double value : row) length += value * value;
      for (double& value : row) value *= (i % 5 == 3 ? 0 : i % 5 == 4 ? 0.5 : 1) / std::sqrt(length);
    }
  }
};

TEST(KernelSystem, SeveralOutputsThatHangTogether) {
  const std::size_t n = 12, outputs = 3, m = 2;
  const Points points = as_points(random_rows(n, 4, 21));
  const RandomFactors random(n, outputs, 22);
  const RowFactors B(random.s, random.u, outputs);
  const std::vector<double> R = normals(n * outputs * m, 23);
  for (const auto& [kernel, way] : {std::pair<Kernel, std::string>{rbf({.gamma = 0.3}), "cholesky"},
                                    {rbf({.gamma = 0.3}), "cg"},
                                    {rbf({.gamma = 0.3}), "auto"},
                                    {linear(), "features"},
                                    {linear(), "cg"}})
    for (const double c : {1.0, 0.01}) {
      KernelSystem system = system_by(way, kernel, points);
      std::vector<double> X(R.size());
      const auto solution = system.solve(B, c, R, m, 1e-12, X);
      const std::vector<double> A = dense_matrix(kernel, points, B, c);
      EXPECT_TRUE(solution.converged) << way << ' ' << solution.residual;
      EXPECT_NEAR(solution.residual, true_residual(A, R, X, m), 1e-13);
      EXPECT_LT(largest_difference(X, plain_solution(A, R, m)), 1e-9) << way << ' ' << c;
      // A first guess that is the solution is left alone.
      const std::vector<double> before = X;
      EXPECT_EQ(system.solve(B, c, R, m, 1e-11, X, {}, true).iterations, 0u);
      EXPECT_EQ(X, before);
    }
}

TEST(KernelSystem, FactorsAndTheirTransposesAreThoseOfTheFormula) {
  const std::size_t n = 5, outputs = 3, m = 2;
  const RandomFactors random(n, outputs, 2);
  const RowFactors B(random.s, random.u, outputs);
  const std::vector<double> V = normals(n * outputs * m, 3);
  std::vector<double> forth = V, back = V;
  B.apply(forth, m);
  B.apply_transposed(back, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t q = 0; q < m; ++q) {
        double product = 0, transposed = 0;
        for (std::size_t p = 0; p < outputs; ++p) {
          const double shared = (o == p ? 1 : 0) - random.u[i * outputs + o] * random.u[i * outputs + p];
          product += random.s[i * outputs + o] * shared * V[(i * outputs + p) * m + q];
          transposed += random.s[i * outputs + p] * shared * V[(i * outputs + p) * m + q];
        }
        EXPECT_NEAR(forth[(i * outputs + o) * m + q], product, 1e-14);
        EXPECT_NEAR(back[(i * outputs + o) * m + q], transposed, 1e-14);
      }
}

TEST(KernelSystem, SeveralOutputsGiveTheSameBitsForAnyNumberOfThreads) {
  const std::size_t n = 100, outputs = 3;
  const Points points = as_points(random_rows(n, 4, 24));
  const RandomFactors random(n, outputs, 25);
  const std::vector<double> R = normals(n * outputs, 26);
  for (const std::string way : {"cholesky", "cg"}) {
    std::vector<double> one(R.size()), two(R.size());
    const RowFactors B(random.s, random.u, outputs);
    KernelSystem(rbf({.gamma = 0.3}), points, {.threads = 1, .way = way}).solve(B, 0.1, R, 1, 1e-10, one);
    KernelSystem(rbf({.gamma = 0.3}), points, {.threads = 2, .way = way}).solve(B, 0.1, R, 1, 1e-10, two);
    EXPECT_EQ(one, two) << way;
  }
}

TEST(KernelSystem, OneOutputWithoutADirectionIsThePlainSystem) {
  for (const std::size_t n : {0u, 1u, 2u, 17u}) {
    const Points points = as_points(random_rows(n, 3, 27));
    const std::vector<double> s = weights(n, 28), u(n, 0.0), R = normals(n * 2, 29);
    std::vector<double> plain(n * 2), factored(n * 2);
    KernelSystem system(rbf({.gamma = 0.3}), points, {.threads = 1});
    EXPECT_TRUE(system.solve(s, 0.5, R, 2, 1e-12, plain).converged);
    EXPECT_TRUE(system.solve(RowFactors(s, u, 1), 0.5, R, 2, 1e-12, factored).converged);
    EXPECT_LT(largest_difference(factored, plain), 1e-10) << n;
  }
}

TEST(KernelSystem, MultipliesInFloat64) {
  const Points points = as_points(random_rows(70, 3, 9));
  for (const Kernel& kernel : {Kernel(rbf({.gamma = 0.5})), Kernel(linear())}) {
    const KernelSystem system(kernel, points, {.threads = 1});
    const std::vector<double> V = normals(140, 1), A = dense_matrix(kernel, points, {}, 0);
    std::vector<double> out(140);
    system.multiply(V, 2, out);
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t q = 0; q < 2; ++q) {
        double expected = 0;
        for (std::size_t j = 0; j < 70; ++j) expected += A[i * 70 + j] * V[j * 2 + q];
        EXPECT_NEAR(out[i * 2 + q], expected, 1e-12);
      }
  }
}

TEST(KernelSystem, KeepsWithinTheMemory) {
  const Points points = as_points(random_rows(200, 3, 10));
  const Kernel kernel = rbf({.gamma = 0.3});
  const std::vector<double> R = normals(200, 1),
                            expected = plain_solution(dense_matrix(kernel, points, {}, 0.2), R, 1);
  for (const std::size_t memory : {20'000u, 60'000u, 200'000u, 500'000u}) {
    KernelSystem system(kernel, points, {.threads = 1, .memory = memory});
    std::vector<double> X(200);
    EXPECT_TRUE(system.solve({}, 0.2, R, 1, 1e-10, X).converged) << memory << ' ' << system.reason();
    EXPECT_LT(largest_difference(X, expected), 1e-8) << system.reason();
    if (memory < 80'000) {
      EXPECT_NE(system.reason().find("computed again in each iteration"), std::string::npos)
          << system.reason();
    }
  }
  try {
    KernelSystem(kernel, points, {.memory = 1000});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::budget);
    EXPECT_NE(std::string(error.what()).find("200 rows take at least"), std::string::npos) << error.what();
  }
  EXPECT_THROW(KernelSystem(kernel, points, {.memory = 20'000, .way = "cholesky"}), Error);
}

TEST(KernelSystem, NumbersBeyondFloat32) {
  const auto rows = random_rows(60, 2, 11);
  auto large = rows;
  for (auto& row : large)
    for (double& value : row) value *= 1e25;
  const std::vector<double> R = normals(60, 1);
  for (const std::string way : {"cg", "cholesky"}) {
    std::vector<double> X(60);
    KernelSystem points_too_large(linear(), as_points(large), {.threads = 1, .way = way});
    const auto solution = points_too_large.solve({}, 1e48, R, 1, 1e-10, X);
    EXPECT_TRUE(solution.converged) << points_too_large.reason() << solution.residual;
    EXPECT_LT(true_residual(dense_matrix(linear(), as_points(large), {}, 1e48), R, X, 1), 1e-9);
  }
}

TEST(KernelSystem, CanBeStopped) {
  const Points points = as_points(random_rows(300, 3, 12));
  const std::vector<double> R = normals(300, 1);
  std::vector<double> X(300);
  for (const std::string way : {"cg", "cholesky"}) {
    KernelSystem system(
        rbf({.gamma = 2}), points,
        {.threads = 1, .way = way, .progress = [](std::string_view, double) { return false; }});
    try {
      system.solve({}, 0.2, R, 1, 1e-10, X);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  }
  // The caller's own poll ends early with what there is, or throws.
  KernelSystem system(rbf({.gamma = 2}), points, {.threads = 1, .way = "cg"});
  const auto solution =
      system.solve({}, 0.2, R, 1, 1e-10, X, [](std::string_view, double fraction) { return fraction < 0.2; });
  EXPECT_FALSE(solution.converged);
  EXPECT_LT(solution.residual, 2e-2);
  EXPECT_NEAR(solution.residual, true_residual(dense_matrix(rbf({.gamma = 2}), points, {}, 0.2), R, X, 1),
              1e-10);
  EXPECT_THROW(system.solve({}, 0.2, R, 1, 1e-10, X, [](std::string_view, double) -> bool { throw 7; }), int);
}

TEST(KernelSystem, RefusesWhatMakesNoSense) {
  const Points points = as_points(random_rows(5, 3, 13));
  const auto message = [&](auto action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message([&] { KernelSystem(linear(), points, {.way = "fast"}); }),
            "the way 'fast' is unknown; it must be auto, cholesky or cg");
  KernelSystem system(linear(), points, {.threads = 1});
  std::vector<double> R(5, 1.0), X(5);
  const std::vector<double> negative{1, 1, -1, 1, 1}, three(3, 1.0);
  EXPECT_EQ(message([&] { system.solve({}, -1, R, 1, 1e-8, X); }),
            "c is -1; it must be a number of at least 0");
  EXPECT_EQ(message([&] { system.solve({}, 1, R, 1, 0, X); }), "the tolerance is 0; it must be above 0");
  EXPECT_EQ(message([&] { system.solve(negative, 1, R, 1, 1e-8, X); }),
            "S holds -1; its numbers must be at least 0");
  EXPECT_EQ(message([&] { system.solve(three, 1, R, 1, 1e-8, X); }),
            "S has 3 numbers; it must have 5 or none");
  EXPECT_EQ(message([&] { system.solve({}, 1, R, 2, 1e-8, X); }),
            "R has 5 numbers and X 5; both must have 5 × 2");
  R[2] = NAN;
  EXPECT_EQ(message([&] { system.solve({}, 1, R, 1, 1e-8, X); }),
            "a right-hand side holds nan; all numbers must be finite");
}

}  // namespace
}  // namespace mercer
