#include "mercer/kernels/precomputed.hpp"
#include "mercer/methods/mean_distance.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

MeanDistance outside(double outliers) { return MeanDistance{.outliers = outliers}; }

// φ of (xᵀz + 1)² in the plane.
std::vector<double> features(const std::vector<double>& x) {
  const double r = std::sqrt(2.0);
  return {1, r * x[0], r * x[1], x[0] * x[0], x[1] * x[1], r * x[0] * x[1]};
}

TEST(MeanDistance, IsTheDistanceInExplicitFeatures) {
  Dataset data = testing::blobs(40, 1, 3, 1, 2);
  data.target = {};
  for (const bool weighted : {false, true}) {
    std::vector<double> mean(6, 0);
    double total = 0;
    if (weighted)
      for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(1 + double(i % 4));
    for (std::size_t i = 0; i < 40; ++i) {
      const double weight = weighted ? data.weights[i] : 1;
      total += weight;
      for (std::size_t c = 0; c < 6; ++c) mean[c] += weight * features(data.points.row(i))[c];
    }
    const Model model = fit(outside(0.1), Kernel::parse("poly(degree=2)"), data);
    const Points at = testing::blobs(15, 2, 8, 3, 2).points;
    const std::vector<double> scores = model.predict(at).scores;
    for (std::size_t i = 0; i < 15; ++i) {
      double squared = 0;
      for (std::size_t c = 0; c < 6; ++c) squared += std::pow(features(at.row(i))[c] - mean[c] / total, 2);
      EXPECT_NEAR(scores[i], testing::diagnostic(model, "threshold") - squared, 1e-9 * (1 + squared));
    }
    EXPECT_NEAR(testing::diagnostic(model, "mean_norm_squared"), testing::dot(mean, mean) / (total * total),
                1e-9);
  }
}

TEST(MeanDistance, LeavesTheGivenFractionOutside) {
  Dataset data = testing::blobs(200, 1, 3);
  data.target = {};
  for (const char* kernel : {"linear", "rbf(gamma=0.2)", "center(rbf(gamma=0.2))"})
    for (const double fraction : {0.0, 0.05, 0.5}) {
      const Predictions p = fit(outside(fraction), Kernel::parse(kernel), data).predict(data.points);
      EXPECT_EQ(std::ranges::count(p.values, -1.0), std::ptrdiff_t(200 * fraction))
          << kernel << " " << fraction;
    }
}

TEST(MeanDistance, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = testing::blobs(30, 1, 5);
  weighted.target = {};
  weighted.weights.assign(30, 1.0);
  std::vector<std::size_t> rows(30);
  for (std::size_t i = 0; i < 30; ++i) rows[i] = i;
  for (const std::size_t i : {3u, 7u, 20u}) weighted.weights[i] = 2, rows.push_back(i);
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  testing::expect_near(
      fit(outside(0.1), Kernel::parse("rbf(gamma=1)"), weighted).predict(weighted.points).scores,
      fit(outside(0.1), Kernel::parse("rbf(gamma=1)"), repeated).predict(weighted.points).scores, 1e-12);
}

TEST(MeanDistance, WorksWithOneAndTwoRows) {
  for (const std::size_t n : {1u, 2u}) {
    Dataset data = testing::blobs(n, 1, 5);
    data.target = {};
    const Model model = fit(outside(0), Kernel::parse("rbf(gamma=1)"), data);
    EXPECT_EQ(model.predict(data.points).values, std::vector<double>(n, 1));
    EXPECT_EQ(model.predict(Points(testing::Table{{90, 90, 90}})).values[0], -1);
  }
}

TEST(MeanDistance, RefusesAPrecomputedKernel) {
  Dataset given;
  given.points = kernel_rows(Points(testing::Table{{1, 0}, {0, 1}}));
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] { fit(outside(0), Kernel::parse("precomputed"), given, {.allow_indefinite = true}); })
                .find("needs k(x, x)"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
