#include "solvers/sparse_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/refusal.hpp"
#include "laplace_textbook.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

SparseEvidence::Data sparse_data(std::size_t n, std::size_t m, std::size_t outputs, std::uint64_t seed = 1) {
  Random random(seed);
  SparseEvidence::Data data{as_points(random_rows(n, 2, seed)), {}, outputs, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    data.weights.push_back(i % 3 == 0 ? 2 : 1);
    for (std::size_t o = 0; o < outputs; ++o)
      data.targets.push_back(std::sin(data.points.row(i)[o % 2]) + 0.3 * random.normal());
  }
  std::vector<std::size_t> chosen;
  for (std::size_t j = 0; j < m; ++j) chosen.push_back(j * n / m);
  data.inducing = data.points.select_rows(chosen);
  return data;
}

std::vector<double> sparse_start(const SparseEvidence& evidence, double noise) {
  std::vector<double> t = evidence.coordinates().start();
  t.push_back(std::log(noise));
  return t;
}

// log N(y | 0, Q + noise) − Σ (k(x, x) − q(x, x))/2·noise with dense n × n matrices; C has the jitter. Also
// the mean and variance at each of the rows, from the inducing points' posterior (Titsias 2009, eqs. 9 and
// 10) by systems with Q + noise.
struct DenseBound {
  double value = 0;
  DenseBound(const SparseEvidence::Data& data, const Kernel& kernel, double noise) {
    const std::size_t n = data.points.rows(), m = data.inducing.rows();
    std::vector<double> C(m * m), K(n * m), own(n);
    KernelOperator<double>(kernel, data.inducing).matrix(C);
    KernelOperator<double>(kernel, data.points, data.inducing).matrix(K);
    KernelOperator<double>(kernel, data.points).diagonal(own);
    testing::TextbookMatrix square(m, std::vector<double>(m)), Q(n, std::vector<double>(n));
    double mean = 0;
    for (std::size_t i = 0; i < m; ++i) mean += C[i * m + i] / double(m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) square[i][j] = C[i * m + j] + (i == j ? 1e-8 * mean : 0);
    const testing::TextbookMatrix L = testing::textbook_cholesky(square);
    testing::TextbookMatrix V;
    for (std::size_t i = 0; i < n; ++i)
      V.push_back(testing::textbook_forward(L, {K.begin() + i * m, K.begin() + (i + 1) * m}));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t c = 0; c < m; ++c) Q[i][j] += V[i][c] * V[j][c];
        if (i == j) value -= double(data.outputs) * data.weights[i] * (own[i] - Q[i][i]) / (2 * noise);
      }
    for (std::size_t i = 0; i < n; ++i) Q[i][i] += noise / data.weights[i];
    const testing::TextbookMatrix R = testing::textbook_cholesky(Q);
    for (std::size_t o = 0; o < data.outputs; ++o) {
      std::vector<double> y;
      for (std::size_t i = 0; i < n; ++i) y.push_back(data.targets[i * data.outputs + o]);
      for (const double v : testing::textbook_forward(R, y)) value -= 0.5 * v * v;
      for (std::size_t i = 0; i < n; ++i) value -= std::log(R[i][i]) + 0.5 * std::log(2 * std::numbers::pi);
    }
  }
};

TEST(SparseEvidence, IsTheBoundOfDenseMatrices) {
  for (const auto& [n, m] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {7, 3}, {90, 12}, {40, 40}})
    for (const std::size_t outputs : {1u, 2u})
      for (const char* text : {"2*rbf(gamma=0.7)", "linear + 0.5*rbf(gamma=3)"}) {
        const SparseEvidence::Data data = sparse_data(n, m, outputs);
        const Kernel kernel = Kernel::parse(text);
        SparseEvidence evidence(data, KernelCoordinates(kernel), 1, {});
        const double expected = DenseBound(data, kernel, 0.2).value;
        EXPECT_NEAR(evidence(sparse_start(evidence, 0.2)), expected, 1e-7 * (1 + std::abs(expected)))
            << text << n;
      }
}

TEST(SparseEvidence, IsBelowTheEvidenceAndEqualToItWithAllRows) {
  const Kernel kernel = Kernel::parse("1.5*rbf(gamma=1)");
  for (const std::size_t m : {2u, 10u, 30u, 60u}) {
    const SparseEvidence::Data data = sparse_data(60, m, 1);
    std::vector<double> factors;
    for (const double weight : data.weights) factors.push_back(1 / weight);
    Evidence exact({data.points, data.targets, 1, factors}, KernelCoordinates(kernel), 1, {});
    SparseEvidence bound(data, KernelCoordinates(kernel), 1, {});
    const double best = exact(sparse_start(bound, 0.1)), found = bound(sparse_start(bound, 0.1));
    EXPECT_LE(found, best + 1e-6) << m;
    if (m == 60) {
      EXPECT_NEAR(found, best, 1e-4);
    } else {
      EXPECT_LT(found, best);
    }
  }
}

TEST(SparseEvidence, HasTheGradientOfItsDifferences) {
  for (const std::size_t outputs : {1u, 2u})
    for (const char* text : {"2*rbf(gamma=0.7)", "matern(length=0.8) + 0.3*linear",
                             "poly(degree=2, scale=0.5, offset=1)", "rbf(gamma=1)"}) {
      SparseEvidence evidence(sparse_data(80, 9, outputs, 5), KernelCoordinates(Kernel::parse(text)), 1, {});
      const std::vector<double> t = sparse_start(evidence, 0.3);
      std::vector<double> gradient(t.size());
      evidence(t, gradient);
      for (std::size_t i = 0; i < t.size(); ++i) {
        constexpr double h = 1e-4;
        std::vector<double> up = t, down = t;
        up[i] += h, down[i] -= h;
        EXPECT_NEAR(gradient[i], (evidence(up) - evidence(down)) / (2 * h),
                    2e-5 * (1 + std::abs(gradient[i])))
            << text << " " << i;
      }
    }
}

TEST(SparseEvidence, GivesTheSameBitsForAnyNumberOfThreads) {
  const SparseEvidence::Data data = sparse_data(3000, 40, 1);
  const KernelCoordinates coordinates(Kernel::parse("2*rbf(gamma=0.7)"));
  SparseEvidence one(data, coordinates, 1, {}), several(data, coordinates, 3, {});
  std::vector<double> of_one(3), of_several(3);
  EXPECT_EQ(one(sparse_start(one, 0.2), of_one), several(sparse_start(one, 0.2), of_several));
  EXPECT_EQ(of_one, of_several);
  EXPECT_EQ(one.a(), several.a());
}

TEST(SparseEvidence, OfSomeRowsKeepsTheInducingPoints) {
  const SparseEvidence::Data data = sparse_data(30, 5, 2);
  const KernelCoordinates coordinates(Kernel::parse("rbf(gamma=0.7)"));
  const std::vector<std::size_t> rows{0, 3, 8, 21, 28, 29};
  SparseEvidence::Data some{data.points.select_rows(rows), {}, 2, {}, data.inducing};
  for (const std::size_t i : rows) {
    some.targets.insert(some.targets.end(), {data.targets[2 * i], data.targets[2 * i + 1]});
    some.weights.push_back(data.weights[i]);
  }
  SparseEvidence all(data, coordinates, 1, {}), part(some, coordinates, 1, {});
  EXPECT_EQ((*all.of_rows(rows))(sparse_start(all, 0.2)), part(sparse_start(all, 0.2)));
  // Of fewer than there are inducing points the evidence itself, which is no less.
  const std::vector<std::size_t> few{0, 3, 8};
  SparseEvidence::Data three{data.points.select_rows(few), {}, 2, {}, data.points.select_rows(few)};
  for (const std::size_t i : few) {
    three.targets.insert(three.targets.end(), {data.targets[2 * i], data.targets[2 * i + 1]});
    three.weights.push_back(data.weights[i]);
  }
  SparseEvidence bound(three, coordinates, 1, {});
  EXPECT_NEAR((*all.of_rows(few))(sparse_start(all, 0.2)), bound(sparse_start(all, 0.2)), 1e-6);
}

TEST(SparseEvidence, TakesInducingPointsThatCoincideAndRefusesIndefiniteKernels) {
  SparseEvidence::Data data = sparse_data(20, 4, 1);
  data.inducing = data.points.select_rows(std::vector<std::size_t>{1, 1, 5, 5});
  SparseEvidence twice(data, KernelCoordinates(Kernel::parse("rbf(gamma=1)")), 1, {});
  EXPECT_TRUE(std::isfinite(twice(sparse_start(twice, 0.2))));
  SparseEvidence indefinite(sparse_data(20, 6, 1),
                            KernelCoordinates(Kernel::parse("rbf(gamma=1) - 2*linear")), 1, {});
  EXPECT_NE(refusal(ErrorKind::data, [&] { indefinite(sparse_start(indefinite, 0.2)); })
                .find("the kernel matrix of the inducing points is not positive definite"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
