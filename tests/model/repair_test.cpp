// Repair of indefinite kernels against eigenvalues and systems solved a second way.
#include "model/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "elimination.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

const Kernel indefinite = Kernel::parse("sigmoid(scale=0.7, offset=-0.3)");

std::vector<double> values(const Kernel& k, const Points& x, const Points& z) {
  std::vector<double> K(x.rows() * z.rows());
  KernelOperator<double>(k, x, z, {.threads = 1}).matrix(K);
  return K;
}

/// Eigenvalues and eigenvectors (columns) by Jacobi's rotations: independent of LAPACK.
void jacobi(std::vector<double>& A, std::vector<double>& V, std::size_t n) {
  V.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) V[i * n + i] = 1;
  for (int sweep = 0; sweep < 60; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(A[p * n + q]) < 1e-300) continue;
        const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[k * n + p], b = A[k * n + q];
          A[k * n + p] = c * a - s * b, A[k * n + q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[p * n + k], b = A[q * n + k];
          A[p * n + k] = c * a - s * b, A[q * n + k] = s * a + c * b;
          const double v = V[k * n + p], w = V[k * n + q];
          V[k * n + p] = c * v - s * w, V[k * n + q] = s * v + c * w;
        }
      }
}

TEST(Repair, RidgeIsThatOfTheRepairedMatrixOnOldAndNewRows) {
  const std::size_t n = 14, m = 6;
  const Points x = as_points(random_rows(n, 3, 1)), z = as_points(random_rows(m, 3, 2));
  Dataset data{.points = x};
  for (std::size_t i = 0; i < n; ++i) data.target.values.push_back(std::sin(double(i)));
  data.target.task = Task::regression;
  std::vector<double> A = values(indefinite, x, x), V;
  const std::vector<double> Kz = values(indefinite, z, x);
  jacobi(A, V, n);
  double lowest = 0;
  for (std::size_t e = 0; e < n; ++e) lowest = std::min(lowest, A[e * n + e]);
  ASSERT_LT(lowest, -0.01);
  for (const std::string how : {"clip", "flip", "shift", "square"}) {
    const auto g = [&](double l) {
      return how == "clip"    ? std::max(l, 0.0)
             : how == "flip"  ? std::abs(l)
             : how == "shift" ? l - lowest
                              : l * l;
    };
    std::vector<double> S(n * n, 0), P(n * n, 0);
    for (std::size_t e = 0; e < n; ++e)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const double l = A[e * n + e];
          S[i * n + j] += g(l) * V[i * n + e] * V[j * n + e];
          P[i * n + j] += (how == "shift" ? 1 : g(l) / l) * V[i * n + e] * V[j * n + e];
        }
    const double tau = 0.05;
    std::vector<double> system = S, alpha = data.target.values;
    for (std::size_t i = 0; i < n; ++i) system[i * n + i] += tau;
    alpha = testing::eliminate(system, alpha);
    const Model model =
        fit(Ridge{.tau2 = tau}, indefinite, data, {.tolerance = 1e-10, .threads = 1, .repair = how});
    EXPECT_EQ(model.kernel().text(), indefinite.text());
    const std::vector<double> found = model.predict(z).values;
    for (std::size_t i = 0; i < m; ++i) {
      double f = 0;
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) f += alpha[a] * P[a * n + b] * Kz[i * n + b];
      EXPECT_NEAR(found[i], f, 1e-7) << how << " row " << i;
    }
    EXPECT_NEAR(model.fitted.report.diagnostic("lowest_eigenvalue")->values[0], lowest, 1e-10);
    EXPECT_EQ(Model::from_bytes(model.bytes()).predict(z).values, found) << how;
  }
}

// min ½aᵀGa − Σa, 0 ≤ a ≤ C, yᵀa = 0: the best step of every pair of variables, again and again.
std::vector<double> by_pairs(const std::vector<double>& G, const std::vector<double>& y, double C) {
  const std::size_t n = y.size();
  std::vector<double> a(n, 0), slope(n, -1);
  for (int sweep = 0; sweep < 4000; ++sweep)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) {  // aᵢ moves by yᵢt, aⱼ by −yⱼt
        const double curve = G[i * n + i] + G[j * n + j] - 2 * y[i] * y[j] * G[i * n + j];
        double t = -(y[i] * slope[i] - y[j] * slope[j]) / std::max(curve, 1e-12);
        const auto room = [&](std::size_t v, double sign) {
          const double up = sign > 0 ? C - a[v] : a[v], down = sign > 0 ? a[v] : C - a[v];
          t = std::clamp(t, -down, up);
        };
        room(i, y[i]);
        room(j, -y[j]);
        a[i] += y[i] * t;
        a[j] -= y[j] * t;
        for (std::size_t k = 0; k < n; ++k) slope[k] += t * (y[i] * G[k * n + i] - y[j] * G[k * n + j]);
      }
  return a;
}

// The machine of Loosli, Canu & Ong (IEEE PAMI 38, 2016): with YKY = UDUᵀ and S the signs of D the dual is
// solved over USDUᵀ, and the coefficients are USUᵀα̃ over the kernel as it is. Repair by flip is that.
TEST(Repair, FlipIsTheSvmInAKreinSpace) {
  const std::size_t n = 24;
  const double C = 2;
  const Points x = as_points(random_rows(n, 3, 5)), z = as_points(random_rows(7, 3, 6));
  Dataset data{.points = x};
  data.target = {.task = Task::classification, .labels = {"a", "b"}};
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    data.target.codes.push_back(x.row(i)[0] + 0.5 * x.row(i)[1] * x.row(i)[2] > 0 ? 0 : 1);
    y.push_back(data.target.codes[i] == 0 ? 1 : -1);
  }
  std::vector<double> D = values(indefinite, x, x), U, flipped(n * n, 0), signs(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) D[i * n + j] *= y[i] * y[j];
  jacobi(D, U, n);
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        flipped[i * n + j] += std::abs(D[e * n + e]) * U[i * n + e] * U[j * n + e];
        signs[i * n + j] += (D[e * n + e] > 0 ? 1 : -1) * U[i * n + e] * U[j * n + e];
      }
  const std::vector<double> bent = by_pairs(flipped, y, C);
  const Model model = fit(Svm{.C = C}, indefinite, data, {.tolerance = 1e-9, .threads = 1, .repair = "flip"});
  const std::vector<double> Kz = values(indefinite, z, x), found = model.predict(z).scores;
  std::vector<double> f(z.rows(), 0);
  for (std::size_t i = 0; i < z.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double alpha = 0;
      for (std::size_t k = 0; k < n; ++k) alpha += signs[j * n + k] * bent[k];
      f[i] += y[j] * alpha * Kz[i * n + j];
    }
  // of two classes scores are of the second; b is the same for all rows
  for (std::size_t i = 1; i < z.rows(); ++i) EXPECT_NEAR(found[0] - found[i], f[i] - f[0], 1e-5) << i;
}

TEST(Repair, AValidKernelStaysAsItIs) {
  const Dataset data = [] {
    Dataset made{.points = as_points(random_rows(60, 2, 3))};
    made.target = {.task = Task::classification, .labels = {"a", "b", "c"}};
    for (std::size_t i = 0; i < 60; ++i) {
      const auto row = made.points.row(i);
      made.target.codes.push_back(row[0] > 0.3 ? 0 : row[1] > 0 ? 1 : 2);
    }
    return made;
  }();
  const Kernel k = Kernel::parse("rbf(gamma=0.5)");
  const FitOptions options{.tolerance = 1e-8, .threads = 1};
  const std::vector<double> plain = fit(Svm{}, k, data, options).predict(data.points).scores;
  for (const char* how : {"clip", "flip", "shift"}) {
    FitOptions repaired = options;
    repaired.repair = how;
    const Model model = fit(Svm{}, k, data, repaired);
    EXPECT_TRUE(model.fitted.report.converged);
    const std::vector<double> scores = model.predict(data.points).scores;
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(scores[i], plain[i], 1e-4) << how;
  }
}

TEST(Repair, IsRefusedWhereItHasNoMeaning) {
  const Points x = as_points(random_rows(10, 2, 1));
  const auto refused = [&](const AnyMethod& method, FitOptions options) {
    return refusal(ErrorKind::usage, [&] { fit(method, indefinite, Dataset{.points = x}, options); });
  };
  EXPECT_EQ(
      refused(Kmeans{}, {.repair = "clip"}),
      "an indefinite kernel cannot be repaired for kmeans; methods of classes and numbers that are sums over "
      "the training rows can, such as svm, svr, ridge and logistic");
  Dataset data{.points = x};
  data.target = {.task = Task::regression, .values = std::vector<double>(10, 1.0)};
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Ridge{}, indefinite, data, {.repair = "mend"}); }),
            "repair must be clip, flip, shift or square, not mend");
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] { fit(Ridge{}, indefinite, data, {.approx = "nystrom:3", .repair = "clip"}); }),
            "no error");
}

}  // namespace
}  // namespace mercer
