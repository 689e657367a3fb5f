// Least squares by passes against the normal equations, which tests/solvers/normal_equations_test.cpp
// compares with elimination.
#include "solvers/streamed_least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "random_points.hpp"
#include "solvers/landmark_map.hpp"

namespace mercer {
namespace {

TEST(StreamedLeastSquares, AgreeWithTheNormalEquations) {
  for (const std::size_t n : {1u, 30u, 2000u})
    for (const std::size_t outputs : {1u, 2u})
      for (const bool bias : {false, true})
        for (const double c : {1e-4, 0.5}) {
          const Points points = as_points(random_rows(n, 3, n));
          const LandmarkMap map =
              make_landmark_map({MapName::Kind::nystrom, 15}, Kernel::parse("rbf(gamma=0.4)"), points, {});
          const RowFeatures features(map.map, points, 2, 0);
          Random random(n + outputs);
          std::vector<double> v(n), Y(n * outputs);
          for (double& weight : v) weight = 0.2 + random.uniform();
          for (double& y : Y) y = 3 + random.normal();
          const auto expected = NormalEquations(features, v, Y, outputs, bias, 2, {}).solve(c);
          const auto found = stream_least_squares(features, v, Y, outputs, bias, c, 1e-11, {}, {}, {});
          EXPECT_LE(found.solution.residual, 1e-9);
          const std::size_t p = features.features();
          std::vector<double> by_feature(p * outputs), difference(n * outputs);
          for (std::size_t e = 0; e < by_feature.size(); ++e)
            by_feature[e] =
                found.solution.W[e % outputs * p + e / outputs] - expected.W[e % outputs * p + e / outputs];
          features.multiply(by_feature, outputs, difference);
          for (std::size_t e = 0; e < difference.size(); ++e)
            EXPECT_NEAR(difference[e] + found.solution.b[e % outputs], expected.b[e % outputs], 1e-6);
          EXPECT_NEAR(found.solution.loss, expected.loss, 1e-8 * (1 + expected.loss));
          EXPECT_NEAR(found.solution.norm, expected.norm, 1e-5 * (1 + expected.norm));
        }
}

}  // namespace
}  // namespace mercer
