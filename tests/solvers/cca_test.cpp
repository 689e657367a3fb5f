#include "mercer/cca.hpp"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

// Two views with a common part.
std::pair<Points, Points> two_views(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> x, y;
  for (std::size_t i = 0; i < n; ++i) {
    const double shared = random.uniform(-2, 2);
    x.push_back({shared + 0.1 * random.normal(), random.normal()});
    y.push_back({random.normal(), std::sin(2 * shared) + 0.1 * random.normal(), random.normal()});
  }
  return {Points(x), Points(y)};
}

// HKH by loops.
std::vector<double> centred_values(const Kernel& kernel, const Points& points) {
  const std::size_t n = points.rows();
  std::vector<double> K(n * n), mean(n, 0);
  KernelOperator<double>(kernel, points).matrix(K);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      mean[i] += K[i * n + j] / double(n), all += K[i * n + j] / double(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) K[i * n + j] += all - mean[i] - mean[j];
  return K;
}

const Kernel of_x = Kernel::parse("rbf(gamma=0.7)"), of_y = Kernel::parse("0.5*rbf(gamma=1.5) + linear");

// [0 KₓKᵧ; KᵧKₓ 0]z = ρ diag((Kₓ + c)², (Kᵧ + c)²)z by LAPACK's dsygv.
TEST(KernelCca, SolvesTheGeneralisedEigenproblem) {
  for (const std::size_t n : {6u, 25u, 60u}) {
    const auto [x, y] = two_views(n, 3);
    const double kappa = 0.1, c = 0.5 * double(n) * kappa;
    const std::vector<double> K[2] = {centred_values(of_x, x), centred_values(of_y, y)};
    const std::size_t N = 2 * n;
    std::vector<double> A(N * N, 0), B(N * N, 0), values(N);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) A[i * N + n + j] += K[0][i * n + k] * K[1][k * n + j];
        A[(n + j) * N + i] = A[i * N + n + j];
        for (int view : {0, 1})
          for (std::size_t k = 0; k < n; ++k)
            B[(std::size_t(view) * n + i) * N + std::size_t(view) * n + j] +=
                (K[view][i * n + k] + (i == k ? c : 0)) * (K[view][k * n + j] + (k == j ? c : 0));
      }
    ASSERT_EQ(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'V', 'U', int(N), A.data(), int(N), B.data(), int(N),
                            values.data()),
              0);
    const std::size_t count = 3;
    const KernelCca found = kernel_cca(of_x, x, of_y, y, {.components = count, .regularization = kappa});
    std::vector<double> f(n * count), g(n * count);
    found.x.sums(x, f);
    found.y.sums(y, g);
    for (std::size_t j = 0; j < count; ++j) {
      EXPECT_NEAR(found.correlations[j], values[N - 1 - j], 1e-7) << n << " " << j;
      // K̄α of LAPACK's vector, brought to the mean square 1, is the projection up to one sign for both views.
      std::vector<double> z[2] = {std::vector<double>(n, 0), std::vector<double>(n, 0)};
      double sign = 0;
      for (const int view : {0, 1}) {
        double square = 0;
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t k = 0; k < n; ++k)
            z[view][i] += K[view][i * n + k] * A[(std::size_t(view) * n + k) * N + N - 1 - j];
          square += z[view][i] * z[view][i] / double(n);
        }
        for (double& value : z[view]) value /= std::sqrt(square);
      }
      for (std::size_t i = 0; i < n; ++i) sign += z[0][i] * f[i * count + j];
      sign = sign < 0 ? -1 : 1;
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(f[i * count + j], sign * z[0][i], 1e-5);
        EXPECT_NEAR(g[i * count + j], sign * z[1][i], 1e-5);
      }
    }
  }
}

TEST(KernelCca, ProjectsNewRowsWithWhatTheViewsShare) {
  const auto [x, y] = two_views(150, 3);
  const auto [fresh_x, fresh_y] = two_views(100, 9);
  const KernelCca found = kernel_cca(of_x, x, of_y, y, {.components = 1});
  std::vector<double> f(100), g(100);
  found.x.sums(fresh_x, f);
  found.y.sums(fresh_y, g);
  double fg = 0, ff = 0, gg = 0;
  for (std::size_t i = 0; i < 100; ++i) fg += f[i] * g[i], ff += f[i] * f[i], gg += g[i] * g[i];
  EXPECT_GT(fg / std::sqrt(ff * gg), 0.8);
}

TEST(KernelCca, RefusesViewsThatDoNotFit) {
  const auto [x, y] = two_views(10, 3);
  const Points fewer = y.select_rows(std::vector<std::size_t>{1, 2, 3});
  EXPECT_EQ(refusal(ErrorKind::data, [&] { kernel_cca(of_x, x, of_y, fewer); }),
            "the views have 10 and 3 rows; they must be of the same rows");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { kernel_cca(of_x, x, of_y, y, {.components = 10}); }),
            "10 components of 10 rows are asked for; there are 1 to 9");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { kernel_cca(of_x, x, of_y, y, {.regularization = 0}); }),
            "the regularization is 0; it must be > 0");
  EXPECT_NE(refusal(ErrorKind::budget, [&] { kernel_cca(of_x, x, of_y, y, {.memory = 100}); })
                .find("the matrices of 10 rows need"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
