// Box problems of every method, and what a solution is, by plain float64 loops over a given K.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

using Matrix64 = std::vector<std::vector<double>>;  // K over points

inline void add_variable(BoxQp& problem, std::size_t point, double s, double lower, double upper) {
  problem.points.push_back(std::int32_t(point));
  problem.linear.push_back(s);
  problem.lower.push_back(lower);
  problem.upper.push_back(upper);
}

inline Matrix64 random_psd(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Matrix64 A(n, std::vector<double>(n + 2)), K(n, std::vector<double>(n));
  for (auto& row : A)
    for (double& value : row) value = random.normal();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n + 2; ++k) K[i][j] += A[i][k] * A[j][k] / double(n);
  return K;
}

/// `C`: of each point.
inline BoxQp c_svc(const std::vector<double>& y, const std::vector<double>& C) {
  BoxQp problem;
  for (std::size_t i = 0; i < y.size(); ++i)
    add_variable(problem, i, -y[i], y[i] > 0 ? 0 : -C[i], y[i] > 0 ? C[i] : 0);
  return problem;
}

inline BoxQp epsilon_svr(const std::vector<double>& z, double C, double epsilon) {
  BoxQp problem;
  for (std::size_t i = 0; i < z.size(); ++i) add_variable(problem, i, epsilon - z[i], 0, C);
  for (std::size_t i = 0; i < z.size(); ++i) add_variable(problem, i, -epsilon - z[i], -C, 0);
  return problem;
}

/// The first variables of each group take as much of its sum as they can.
inline void start_at_sums(BoxQp& problem, double first, double second) {
  double left[2] = {first, second};
  for (std::size_t v = 0; v < problem.size(); ++v) {
    double& rest = left[problem.group(v)];
    problem.start.push_back(std::clamp(rest, problem.lower[v], problem.upper[v]));
    rest -= problem.start.back();
  }
}

inline BoxQp nu_svc(const std::vector<double>& y, double nu) {
  BoxQp problem;
  for (std::size_t i = 0; i < y.size(); ++i) {
    add_variable(problem, i, 0, y[i] > 0 ? 0 : -1, y[i] > 0 ? 1 : 0);
    problem.groups.push_back(y[i] > 0 ? 0 : 1);
  }
  start_at_sums(problem, nu * double(y.size()) / 2, -nu * double(y.size()) / 2);
  return problem;
}

inline BoxQp one_class(std::size_t n, double nu) {
  BoxQp problem;
  for (std::size_t i = 0; i < n; ++i) add_variable(problem, i, 0, 0, 1);
  start_at_sums(problem, nu * double(n), 0);
  return problem;
}

inline std::vector<double> start_of(const BoxQp& problem) {
  return problem.start.empty() ? std::vector<double>(problem.size(), 0.0) : problem.start;
}

/// f = Kβ over points.
inline std::vector<double> products(const BoxQp& problem, const Matrix64& K,
                                    const std::vector<double>& beta) {
  std::vector<double> f(K.size(), 0.0);
  for (std::size_t i = 0; i < K.size(); ++i)
    for (std::size_t v = 0; v < beta.size(); ++v) f[i] += K[i][std::size_t(problem.points[v])] * beta[v];
  return f;
}

inline std::vector<double> gradient(const BoxQp& problem, const std::vector<double>& f) {
  std::vector<double> G = problem.linear;
  for (std::size_t v = 0; v < G.size(); ++v) G[v] += f[std::size_t(problem.points[v])];
  return G;
}

inline double objective(const BoxQp& problem, const Matrix64& K, const std::vector<double>& beta) {
  const auto f = products(problem, K, beta);
  double value = 0;
  for (std::size_t v = 0; v < beta.size(); ++v)
    value += beta[v] * (f[std::size_t(problem.points[v])] / 2 + problem.linear[v]);
  return value;
}

/// The pair of one group that violates optimality most, and by how much (≤ 0: none does).
struct Pair {
  std::size_t rising = 0, falling = 0;
  double violation = 0;
};
inline Pair worst_pair(const BoxQp& problem, const std::vector<double>& beta, const std::vector<double>& G) {
  Pair worst;
  for (int g = 0; g < 2; ++g) {
    std::size_t i = beta.size(), j = beta.size();
    for (std::size_t v = 0; v < beta.size(); ++v) {
      if (problem.group(v) != g) continue;
      if (beta[v] < problem.upper[v] && (i == beta.size() || G[v] < G[i])) i = v;
      if (beta[v] > problem.lower[v] && (j == beta.size() || G[v] > G[j])) j = v;
    }
    if (i < beta.size() && j < beta.size() && G[j] - G[i] > worst.violation) worst = {i, j, G[j] - G[i]};
  }
  return worst;
}

inline double violation(const BoxQp& problem, const Matrix64& K, const std::vector<double>& beta) {
  return worst_pair(problem, beta, gradient(problem, products(problem, K, beta))).violation;
}

/// The most violating pair again and again, until no pair violates by more than 1e-10.
inline std::vector<double> reference_solution(const BoxQp& problem, const Matrix64& K) {
  std::vector<double> beta = start_of(problem);
  std::vector<double> G = gradient(problem, products(problem, K, beta));
  for (int step = 0; step < 400000; ++step) {
    const auto [i, j, by] = worst_pair(problem, beta, G);
    if (by <= 1e-10) return beta;
    const auto &a = K[std::size_t(problem.points[i])], &b = K[std::size_t(problem.points[j])];
    const double curvature = a[std::size_t(problem.points[i])] + b[std::size_t(problem.points[j])] -
                             2 * a[std::size_t(problem.points[j])];
    const double room_i = problem.upper[i] - beta[i], room_j = beta[j] - problem.lower[j];
    const double t = std::min({by / std::max(curvature, 1e-12), room_i, room_j});
    beta[i] = t == room_i ? problem.upper[i] : beta[i] + t;
    beta[j] = t == room_j ? problem.lower[j] : beta[j] - t;
    for (std::size_t v = 0; v < G.size(); ++v)
      G[v] += t * (a[std::size_t(problem.points[v])] - b[std::size_t(problem.points[v])]);
  }
  ADD_FAILURE() << "the reference did not converge";
  return beta;
}

/// Within the bounds to the bit, and the sums of the groups those of the start to rounding.
inline void expect_feasible(const BoxQp& problem, const std::vector<double>& beta, const std::string& what) {
  ASSERT_EQ(beta.size(), problem.size()) << what;
  const auto start = start_of(problem);
  double sums[2] = {}, magnitude = 0;
  for (std::size_t v = 0; v < beta.size(); ++v) {
    ASSERT_TRUE(problem.lower[v] <= beta[v] && beta[v] <= problem.upper[v])
        << what << ": " << beta[v] << " of variable " << v;
    sums[problem.group(v)] += beta[v] - start[v];
    magnitude += std::abs(beta[v]) + std::abs(start[v]);
  }
  for (const double sum : sums) ASSERT_NEAR(sum, 0, 1e-13 * magnitude) << what;
}

}  // namespace mercer
