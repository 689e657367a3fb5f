#include "solvers/alignment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "mercer/error.hpp"
#include "mercer/validity.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Entries = std::vector<double>;

std::vector<std::size_t> first(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  return rows;
}

// HKH by the double loop over H = I − 11ᵀ/n.
Entries centred_entries(const Entries& K, std::size_t n) {
  Entries HK(n * n), HKH(n * n);
  const auto h = [&](std::size_t i, std::size_t j) { return (i == j) - 1 / double(n); };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < n; ++l) HK[i * n + j] += h(i, l) * K[l * n + j];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < n; ++l) HKH[i * n + j] += HK[i * n + l] * h(l, j);
  return HKH;
}

Entries gram(const Kernel& kernel, const Points& points) {
  Entries K(points.rows() * points.rows());
  KernelOperator<double>(kernel, points).matrix(K);
  return K;
}

double inner(const Entries& a, const Entries& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Target classes_of(std::size_t n, std::size_t k) {
  Target target{.task = Task::classification};
  for (std::size_t c = 0; c < k; ++c) target.labels.push_back(std::to_string(c));
  for (std::size_t i = 0; i < n; ++i) target.codes.push_back(std::int32_t((i * i + i / 3) % k));
  return target;
}

const std::vector<Kernel> three{Kernel::parse("rbf(gamma=0.5)"), Kernel::parse("poly(degree=2)"),
                                Kernel::parse("linear")};

TEST(CentredTarget, IsIndicatorsOrNumbersLessTheirMeans) {
  Target target{.task = Task::classification, .labels = {"a", "b", "c"}, .codes = {0, 2, 0, 1, 0}};
  const std::vector<std::size_t> rows{0, 1, 2, 4};
  EXPECT_EQ(centred_target(target, rows),
            (std::vector<double>{0.25, 0, -0.25, -0.75, 0, 0.75, 0.25, 0, -0.25, 0.25, 0, -0.25}));
  target = {.task = Task::regression, .values = {1, 10, 3, 20}, .outputs = 2};
  EXPECT_EQ(centred_target(target, first(2)), (std::vector<double>{-1, -5, 1, 5}));
}

TEST(Alignments, AreTheInnerProductsOfCentredMatrices) {
  for (const std::size_t n : {1u, 2u, 17u, 40u}) {
    const Points points(random_rows(n, 3, n));
    const Target target = classes_of(n, 3);
    const std::vector<double> Y = centred_target(target, first(n));
    Entries labels(n * n);
    for (std::size_t e = 0; e < n * n; ++e)
      labels[e] = std::inner_product(&Y[e / n * 3], &Y[e / n * 3] + 3, &Y[e % n * 3], 0.0);
    std::vector<Entries> K;
    for (const Kernel& kernel : three) K.push_back(centred_entries(gram(kernel, points), n));
    const Alignments found = alignments(three, points, Y, 1);
    EXPECT_NEAR(found.target, inner(labels, labels), 1e-12 * double(n * n));
    for (std::size_t k = 0; k < 3; ++k) {
      const double scale = std::sqrt(inner(K[k], K[k]));
      EXPECT_NEAR(found.agreement[k], inner(K[k], labels), 1e-11 * (1 + scale * double(n)));
      for (std::size_t l = 0; l < 3; ++l)
        EXPECT_NEAR(found.products[k * 3 + l], inner(K[k], K[l]),
                    1e-11 * (1 + scale * std::sqrt(inner(K[l], K[l]))));
    }
  }
}

TEST(Alignments, GiveTheAlignmentThatACheckOfTheKernelReports) {
  const Points points(random_rows(50, 3, 5));
  const Target target = classes_of(50, 2);
  const Alignments found = alignments(three, points, centred_target(target, first(50)), 1);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(found.agreement[k] / std::sqrt(found.products[k * 3 + k] * found.target),
                *check_kernel(three[k], points, target).alignment, 1e-10);
}

TEST(Alignments, AreTheSameBitsForAnyNumberOfThreads) {
  const Points points(random_rows(150, 3, 6));
  const std::vector<double> Y = centred_target(classes_of(150, 2), first(150));
  const Alignments one = alignments(three, points, Y, 1), four = alignments(three, points, Y, 4);
  EXPECT_EQ(one.products, four.products);
  EXPECT_EQ(one.agreement, four.agreement);
}

TEST(Alignments, CanBeStopped) {
  const Points points(random_rows(40, 2, 7));
  EXPECT_THROW(alignments(three, points, centred_target(classes_of(40, 2), first(40)), 1,
                          [](auto, double) { return false; }),
               Error);
}

TEST(CentredVariance, IsTheTraceOfTheCentredMatrix) {
  for (const std::size_t n : {1u, 2u, 33u}) {
    const Points points(random_rows(n, 3, n));
    for (const Kernel& kernel : three) {
      const Entries K = centred_entries(gram(kernel, points), n);
      double trace = 0;
      for (std::size_t i = 0; i < n; ++i) trace += K[i * n + i];
      EXPECT_NEAR(centred_variance(kernel, points, 1), trace / double(n), 1e-11 * (1 + trace));
    }
  }
}

// The alignment of Σ v K, from the sums.
double alignment(const Alignments& sums, std::span<const double> v) {
  double both = 0, square = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    both += v[k] * sums.agreement[k];
    for (std::size_t l = 0; l < v.size(); ++l) square += v[k] * v[l] * sums.products[k * v.size() + l];
  }
  return both / std::sqrt(square * sums.target);
}

TEST(NonNegativeMinimum, HasTheGreatestAlignmentOfAllOnAGrid) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Points points(random_rows(60, 3, seed));
    Target target{.task = Task::regression};
    for (std::size_t i = 0; i < 60; ++i) {
      const auto x = points.row(i);
      target.values.push_back(double(seed % 2) * x[0] * x[1] + x[2] + std::sin(3 * x[0]));
    }
    const Alignments sums = alignments(three, points, centred_target(target, first(60)), 1);
    std::vector<double> v = non_negative_minimum(sums.products, sums.agreement);
    const double found = alignment(sums, v);
    // The simplex of the kernels at one scale: v·√M.
    double best = 0, all = 0;
    std::vector<double> at(3), where(3);
    constexpr int steps = 200;
    for (int a = 0; a <= steps; ++a)
      for (int b = 0; a + b <= steps; ++b) {
        const double shares[] = {double(a), double(b), double(steps - a - b)};
        for (std::size_t k = 0; k < 3; ++k) at[k] = shares[k] / steps / std::sqrt(sums.products[k * 4]);
        if (const double value = alignment(sums, at); value > best)
          best = value, where = {shares[0] / steps, shares[1] / steps, shares[2] / steps};
      }
    EXPECT_GE(found, best - 1e-12);
    EXPECT_LE(found, best + 1e-4);
    for (std::size_t k = 0; k < 3; ++k) all += v[k] *= std::sqrt(sums.products[k * 4]);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(v[k] / all, where[k], 0.02) << seed;
  }
}

TEST(NonNegativeMinimum, MeetsItsConditionsAlsoWhereTheMatrixIsSingular) {
  const std::vector<double> M{2, 2, 1, 2, 2, 1, 1, 1, 3}, a{1, 1, -1};
  const std::vector<double> v = non_negative_minimum(M, a);
  EXPECT_NEAR(v[0] + v[1], 0.5, 1e-12);
  EXPECT_EQ(v[2], 0);
  EXPECT_EQ(non_negative_minimum({}, {}), std::vector<double>{});
  EXPECT_EQ(non_negative_minimum(std::vector<double>{0}, std::vector<double>{1}), std::vector<double>{0})
      << "a kernel that is 0";
  EXPECT_EQ(non_negative_minimum(std::vector<double>{2}, std::vector<double>{-1}), std::vector<double>{0});
}

}  // namespace
}  // namespace mercer
