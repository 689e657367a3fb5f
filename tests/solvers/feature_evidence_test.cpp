#include "solvers/feature_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/row_features.hpp"
#include "random_points.hpp"
#include "solvers/evidence.hpp"

namespace mercer {
namespace {

// Everything that the n × n way says, from D × D.
TEST(FeatureEvidence, IsTheEvidenceOfTheLinearKernel) {
  const std::size_t n = 25, D = 3;
  for (const std::size_t m : {1u, 2u})
    for (const Kind kind : {Kind::dense64, Kind::sparse32}) {
      Random random(3);
      Evidence::Data data{as_points(random_rows(n, D, 2), kind), {}, m, {}};
      std::vector<double> weights;
      for (std::size_t e = 0; e < n * m; ++e) data.targets.push_back(random.normal());
      for (std::size_t i = 0; i < n; ++i)
        weights.push_back(i % 4 == 0 ? 2 : 0.7), data.noise_factors.push_back(1 / weights.back());
      const Progress progress;
      Evidence whole(data, KernelCoordinates(Kernel::parse("2*linear")), 1, progress);
      const RowFeatures features = *RowFeatures::of(Kernel::parse("linear"), data.points, 1);
      const FeatureEvidence evidence(features, data.targets, m, weights);
      const std::vector<double> t{std::log(2.0), std::log(0.3)};
      std::vector<double> gradient(2), expected(2);
      const double value = whole(t, expected);
      EXPECT_NEAR(evidence(t, gradient), value, 1e-10 * std::abs(value));
      EXPECT_NEAR(gradient[0], expected[0], 1e-9 * (1 + std::abs(expected[0])));
      EXPECT_NEAR(gradient[1], expected[1], 1e-9 * (1 + std::abs(expected[1])));
      EXPECT_NEAR(evidence.degrees_of_freedom(2, 0.3), double(n) - whole.inverse_noise_trace(), 1e-10);
      const std::vector<double> a = evidence.coefficients(2, 0.3), P = evidence.precision(2, 0.3);
      EXPECT_LT(evidence.residual(a, 2, 0.3), 1e-12);
      std::vector<double> wrong = a;
      wrong[0] += 1;
      EXPECT_GT(evidence.residual(wrong, 2, 0.3), 0.01);
      // a = Xᵀα and P = XᵀA⁻¹X.
      for (std::size_t k = 0; k < D; ++k) {
        for (std::size_t o = 0; o < m; ++o) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) sum += data.points.row(i)[k] * whole.alpha()[i * m + o];
          EXPECT_NEAR(a[k * m + o], sum, 1e-10);
        }
        for (std::size_t l = 0; l < D; ++l) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
              sum += data.points.row(i)[k] * whole.inverse()[i * n + j] * data.points.row(j)[l];
          EXPECT_NEAR(P[k * D + l], sum, 1e-10);
        }
      }
    }
}

}  // namespace
}  // namespace mercer
