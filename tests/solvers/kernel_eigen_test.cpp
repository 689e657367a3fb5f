#include "solvers/kernel_eigen.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "operators/row_features.hpp"
#include "solvers/eigen.hpp"

namespace mercer {
namespace {

using Way = KernelEigenOptions::Way;

Points cloud(std::size_t n, std::size_t cols = 3, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<std::vector<double>> rows(n, std::vector<double>(cols));
  for (auto& row : rows)
    for (double& value : row) value = random.normal();
  return Points(rows);
}

// D·H·K·Hᵀ·D formed by double loops with H written out.
std::vector<double> formed(const Kernel& kernel, const Points& points, bool centred,
                           std::vector<double> scale) {
  const std::size_t n = points.rows();
  if (scale.empty()) scale.assign(n, 1);
  std::vector<double> K(n * n), H(n * n, 0), HK(n * n, 0), A(n * n, 0);
  KernelOperator<double>(kernel, points).matrix(K);
  double total = 0;
  for (const double s : scale) total += s * s;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      H[i * n + j] = double(i == j) - (centred ? scale[j] * scale[j] / total : 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) HK[i * n + j] += H[i * n + k] * K[k * n + j];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) A[i * n + j] += HK[i * n + k] * H[j * n + k];
      A[i * n + j] *= scale[i] * scale[j];
    }
  return A;
}

void expect_agrees(const std::vector<double>& A, std::size_t n, const KernelEigen& found, double tolerance) {
  const Eigen dense = symmetric_eigen(A, n, true);
  const std::size_t count = found.pairs.values.size();
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += A[i * n + i];
  EXPECT_NEAR(found.trace, trace, 1e-12 * std::abs(trace));
  for (std::size_t c = 0; c < count; ++c) {
    EXPECT_NEAR(found.pairs.values[c], dense.values[n - 1 - c], 1e-10 * dense.values[n - 1]);
    double dot = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double entry = found.pairs.vectors[i * count + c];
      dot += entry * dense.vectors[i * n + n - 1 - c];
      if (std::abs(entry) > std::abs(largest)) largest = entry;
    }
    EXPECT_NEAR(std::abs(dot), 1, tolerance) << c;
    EXPECT_GT(largest, 0);
  }
  EXPECT_TRUE(found.pairs.converged);
}

TEST(KernelEigenpairs, AgreeWithTheFormedMatrixBothWays) {
  const std::size_t n = 60;
  const Points points = cloud(n);
  std::vector<double> scale;
  for (std::size_t i = 0; i < n; ++i) scale.push_back(0.5 + double(i % 3));
  for (const char* text : {"rbf(gamma=0.3)", "poly(degree=2)", "linear + 0.1*laplace(lambda=1)"})
    for (const bool centred : {false, true})
      for (const auto& s : {std::vector<double>(), scale})
        for (const Way way : {Way::dense, Way::krylov}) {
          const Kernel kernel = Kernel::parse(text);
          const KernelEigen found = kernel_eigenpairs(
              kernel, points, 4, {.centred = centred, .scale = s, .tolerance = 1e-7, .way = way});
          expect_agrees(formed(kernel, points, centred, s), n, found, 1e-9);
          EXPECT_LE(relative_residual(found.pairs), 1e-7);
          EXPECT_EQ(found.means.size(), centred ? n : 0);
        }
}

TEST(KernelEigenpairs, AreTheSameBitsForAnyThreadsAndAboutTheSameForAnyMemory) {
  const Points points = cloud(700);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.3)");
  const auto solve = [&](int threads, std::size_t memory) {
    return kernel_eigenpairs(kernel, points, 3,
                             {.centred = true, .memory = memory, .threads = threads, .way = Way::krylov})
        .pairs.vectors;
  };
  const std::vector<double> held = solve(1, 1 << 30);
  EXPECT_EQ(solve(3, 1 << 30), held);
  // One half of K, and a part of that.
  for (const std::size_t memory : {700 * 700 * 4 - 1, 2 * 8 * 700 * 90}) {
    const std::vector<double> one = solve(1, memory);
    EXPECT_EQ(solve(3, memory), one);
    for (std::size_t e = 0; e < one.size(); ++e) ASSERT_NEAR(one[e], held[e], 1e-6);
  }
}

TEST(KernelEigenpairs, KnowTheMeansOfTheRows) {
  const Points points = cloud(30);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.3)");
  std::vector<double> K(900);
  KernelOperator<double>(kernel, points).matrix(K);
  for (const Way way : {Way::dense, Way::krylov}) {
    const KernelEigen found = kernel_eigenpairs(kernel, points, 2, {.centred = true, .way = way});
    for (std::size_t i = 0; i < 30; ++i) {
      double mean = 0;
      for (std::size_t j = 0; j < 30; ++j) mean += K[i * 30 + j] / 30;
      EXPECT_NEAR(found.means[i], mean, 1e-14);
    }
  }
}

TEST(KernelEigenpairs, AreRefusedWhereTheyDoNotFitTheMemory) {
  const std::string message = refusal(ErrorKind::budget, [] {
    kernel_eigenpairs(Kernel::parse("linear"), cloud(500), 400, {.memory = 1000});
  });
  EXPECT_NE(message.find("400 eigenvectors of 500 rows need 4 MB"), std::string::npos) << message;
}

TEST(KernelEigenpairs, StopWhereTheCallerSaysSo) {
  for (const Way way : {Way::dense, Way::krylov})
    EXPECT_THROW(kernel_eigenpairs(Kernel::parse("linear"), cloud(300), 2,
                                   {.way = way, .progress = [](std::string_view, double) { return false; }}),
                 Error);
}

// K = ΦΦᵀ, from the features: few of them, and so many that they are never formed as a matrix.
TEST(FeatureEigen, EqualsTheDenseOfTheGramMatrix) {
  for (const std::size_t cols : {3u, 450u})
    for (const bool centred : {false, true})
      for (const bool scaled : {false, true}) {
        SCOPED_TRACE(std::to_string(cols) + (centred ? " centred" : "") + (scaled ? " scaled" : ""));
        const std::size_t n = 120;
        Points points = cloud(n, cols, 5);
        Random random(3);
        std::vector<std::vector<double>> stretched;  // eigenvalues apart from each other
        for (std::size_t i = 0; i < n; ++i) {
          stretched.push_back(points.row(i));
          for (std::size_t j = 0; j < cols; ++j) stretched[i][j] *= 3 * std::pow(0.6, double(j));
        }
        points = Points(stretched);
        KernelEigenOptions options{.centred = centred, .tolerance = 1e-10};
        for (std::size_t i = 0; scaled && i < n; ++i) options.scale.push_back(random.uniform(0.5, 2));
        const Kernel linear = Kernel::parse("linear");
        const auto features = RowFeatures::of(linear, points, 2);
        ASSERT_TRUE(features);
        const KernelEigen found = feature_eigenpairs(*features, 3, options),
                          dense = kernel_eigenpairs(linear, points, 3, options);
        expect_agrees(formed(linear, points, centred, options.scale), n, found, 1e-8);
        ASSERT_EQ(found.means.size(), dense.means.size());
        for (std::size_t i = 0; i < found.means.size(); ++i)
          EXPECT_NEAR(found.means[i], dense.means[i], 1e-12 * (1 + std::abs(dense.means[i])));
        EXPECT_NEAR(found.mass, dense.mass, 1e-12 * dense.mass);
      }
}

}  // namespace
}  // namespace mercer
