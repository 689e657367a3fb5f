// Newton's method over features by passes, against the same risk minimised over K = ΦΦᵀ.
#include "solvers/streamed_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "random_points.hpp"
#include "solvers/landmark_map.hpp"

namespace mercer {
namespace {

struct Sample {
  std::size_t n, outputs;
  Points points;
  std::vector<double> y, v;

  Sample(const Loss& loss, std::size_t rows, std::size_t classes)
      : n(rows),
        outputs(loss.target() == LossTarget::classes ? classes : 1),
        points(as_points(random_rows(rows, 3, rows))) {
    Random random(rows);
    double weight = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double signal = points.row(i)[0] + 0.5 * random.normal();
      switch (loss.target()) {
        case LossTarget::classes:
          y.push_back(double(i % classes));
          break;
        case LossTarget::signs:
          y.push_back(signal > 0 ? 1 : -1);
          break;
        case LossTarget::counts:
          y.push_back(std::floor(std::exp(std::min(signal, 2.0))));
          break;
        case LossTarget::real:
          y.push_back(signal);
      }
      v.push_back(0.2 + random.uniform());
      weight += v.back();
    }
    for (double& share : v) share /= weight;
  }
};

TEST(StreamedNewton, FindsTheMinimumForEverySmoothLoss) {
  for (const AnyLoss& loss : losses()) {
    if (!loss->smooth()) continue;
    for (const std::size_t n : {20u, 600u})
      for (const bool bias : {false, true}) {
        SCOPED_TRACE(std::string(loss->name()) + (bias ? " with bias " : " ") + std::to_string(n));
        const Sample sample(*loss, n, 3);
        const LandmarkMap map = make_landmark_map({MapName::Kind::nystrom, 12},
                                                  Kernel::parse("rbf(gamma=0.4)"), sample.points, {});
        const RowFeatures features(map.map, sample.points, 2, 0);
        RiskProblem problem{.loss = *loss,
                            .y = sample.y,
                            .v = sample.v,
                            .lambda = 0.01,
                            .outputs = sample.outputs,
                            .constant = bias ? 1.0 : 0.0};
        const StreamedRisk found = stream_risk(features, problem, {.tolerance = 1e-7}, {.threads = 2});
        EXPECT_TRUE(found.converged);
        auto held = std::make_shared<RowFeatures>(map.map, sample.points, 2, std::size_t(1) << 30);
        if (bias) held = std::make_shared<RowFeatures>(held->with_constant(1));
        KernelSystem system(held);
        const RiskSolution expected = minimise_risk(system, problem, {.tolerance = 1e-8});
        EXPECT_NEAR(found.risk, expected.risk, 1e-9 * (1 + expected.risk));
        EXPECT_NEAR(found.loss, expected.loss, 1e-5 * (1 + expected.loss));
        EXPECT_NEAR(found.norm, expected.norm, 1e-4 * (1 + expected.norm));
        EXPECT_LT(found.gap, 1e-8);
        for (std::size_t c = 0; c < sample.outputs; ++c) EXPECT_NEAR(found.b[c], expected.b[c], 1e-4);
        const std::size_t p = features.features(), k = sample.outputs;
        std::vector<double> by_feature(p * k), f(n * k);
        for (std::size_t e = 0; e < by_feature.size(); ++e) by_feature[e] = found.W[e % k * p + e / k];
        features.multiply(by_feature, k, f);
        for (std::size_t e = 0; e < f.size(); ++e) EXPECT_NEAR(f[e] + found.b[e % k], expected.f[e], 1e-3);
      }
  }
}

TEST(StreamedNewton, EndsWhereItIsTold) {
  const AnyLoss& loss = loss_named("logistic");
  const Sample sample(*loss, 200, 2);
  const LandmarkMap map =
      make_landmark_map({MapName::Kind::nystrom, 12}, Kernel::parse("rbf(gamma=0.4)"), sample.points, {});
  const RowFeatures features(map.map, sample.points, 1, 0);
  const RiskProblem problem{.loss = *loss, .y = sample.y, .v = sample.v, .lambda = 1e-6, .constant = 1};
  const StreamedRisk found = stream_risk(
      features, problem, {.tolerance = 1e-9, .progress = [](std::string_view, double) { return false; }}, {});
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.steps, 0u);
  EXPECT_EQ(found.norm, 0);
}

}  // namespace
}  // namespace mercer
