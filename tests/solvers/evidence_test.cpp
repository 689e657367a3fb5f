#include "solvers/evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "operators/row_features.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

const Progress silent;

Evidence::Data some_data(std::size_t n, std::size_t outputs, std::uint64_t seed = 1,
                         std::size_t columns = 2) {
  Random random(seed);
  Evidence::Data data{as_points(random_rows(n, columns, seed)), {}, outputs, {}};
  for (std::size_t e = 0; e < n * outputs; ++e) data.targets.push_back(random.normal());
  for (std::size_t i = 0; i < n; ++i) data.noise_factors.push_back(i % 3 == 0 ? 0.5 : 1);
  return data;
}

std::vector<double> coordinates_of(const Evidence& evidence, double noise) {
  std::vector<double> t = evidence.coordinates().start();
  t.push_back(std::log(noise));
  return t;
}

// Gauss's elimination: log det A, and A⁻¹Y.
double eliminate(std::vector<double> A, std::vector<double>& Y, std::size_t n, std::size_t m) {
  double log_det = 0;
  for (std::size_t p = 0; p < n; ++p) {
    log_det += std::log(std::abs(A[p * n + p]));
    for (std::size_t i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = A[i * n + p] / A[p * n + p];
      for (std::size_t j = p; j < n; ++j) A[i * n + j] -= factor * A[p * n + j];
      for (std::size_t o = 0; o < m; ++o) Y[i * m + o] -= factor * Y[p * m + o];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < m; ++o) Y[i * m + o] /= A[i * n + i];
  return log_det;
}

TEST(Evidence, IsTheDensityOfTheTargets) {
  for (const std::size_t n : {1u, 2u, 31u})
    for (const std::size_t m : {1u, 3u}) {
      const Evidence::Data data = some_data(n, m);
      const Kernel kernel = Kernel::parse("2*rbf(gamma=0.7) + linear");
      std::vector<double> A(n * n), alpha = data.targets;
      KernelOperator<double>(kernel, data.points).matrix(A);
      for (std::size_t i = 0; i < n; ++i) A[i * n + i] += 0.3 * data.noise_factors[i];
      double expected =
          -0.5 * double(m) * (eliminate(A, alpha, n, m) + double(n) * std::log(2 * std::numbers::pi));
      for (std::size_t e = 0; e < alpha.size(); ++e) expected -= 0.5 * alpha[e] * data.targets[e];
      Evidence evidence(data, KernelCoordinates(kernel), 1, silent);
      EXPECT_NEAR(evidence(coordinates_of(evidence, 0.3)), expected, 1e-10 * std::abs(expected));
      for (std::size_t e = 0; e < alpha.size(); ++e) EXPECT_NEAR(evidence.alpha()[e], alpha[e], 1e-10);
      double trace = 0;  // tr A⁻¹·noise by columns of the identity
      std::vector<double> inverse(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
      eliminate(A, inverse, n, n);
      for (std::size_t i = 0; i < n; ++i) trace += 0.3 * data.noise_factors[i] * inverse[i * n + i];
      EXPECT_FALSE(evidence.inverted());
      EXPECT_NEAR(evidence.inverse_noise_trace(), trace, 1e-10 * trace);
      EXPECT_EQ(evidence.jitter(), 0);
      std::vector<double> gradient(evidence.coordinates().size() + 1);
      EXPECT_NEAR(evidence(coordinates_of(evidence, 0.3), gradient), expected, 1e-10 * std::abs(expected));
      EXPECT_TRUE(evidence.inverted());
      EXPECT_NEAR(evidence.inverse_noise_trace(), trace, 1e-10 * trace);
      for (std::size_t e = 0; e < n * n; ++e) ASSERT_NEAR(evidence.inverse()[e], inverse[e], 1e-10);
      EXPECT_EQ(std::move(evidence).take_matrix().size(), n * n);
      Evidence factored(data, KernelCoordinates(kernel), 1, silent);
      factored(coordinates_of(factored, 0.3));
      const std::vector<double> L = std::move(factored).take_matrix();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          double product = 0;
          for (std::size_t k = 0; k < n; ++k) product += L[i * n + k] * L[j * n + k];
          EXPECT_NEAR(product, A[i * n + j], 1e-12 * double(n));
          if (j > i) {
            EXPECT_EQ(L[i * n + j], 0);
          }
        }
    }
}

// Differences of the value, whose own error is about 10⁻⁸ of it.
TEST(Evidence, HasTheGradientThatItsValuesShow) {
  for (const char* text : {"rbf(gamma=0.5)", "1.5*rbf(gamma=0.5)", "rbf(sigma=1.5) + 0.5*linear",
                           "matern(nu=2.5, length=2)*(2*rational_quadratic)", "matern(nu=0.5, length=1)",
                           "scaled(3*rbf(gamma=0.2), by=[1, 0.5])", "poly(degree=2, scale=0.5, offset=0.7)",
                           "2*center(rbf(gamma=1))", "linear", "normalize(2*rbf(gamma=1) + linear)",
                           "exp(0.1*rbf(gamma=0.3))@\"1\""})
    for (const std::size_t m : {1u, 2u}) {
      const Kernel kernel = Kernel::parse(text).resolve(some_data(40, m).points);
      Evidence evidence(some_data(40, m), KernelCoordinates(kernel), 1, silent);
      std::vector<double> t = coordinates_of(evidence, 0.2), gradient(t.size());
      evidence(t, gradient);
      for (std::size_t i = 0; i < t.size(); ++i) {
        const double at = t[i], h = 1e-4;
        t[i] = at + h;
        const double above = evidence(t);
        t[i] = at - h;
        const double below = evidence(t);
        t[i] = at;
        EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 2e-6 * (1 + std::abs(gradient[i])))
            << text << ", coordinate " << i;
      }
    }
}

// Of many rows the gradient comes from A⁻¹ in float32, beside a value, α and L that do not.
TEST(Evidence, OfManyRowsHasAGradientOfFourDigitsAndKeepsTheFactor) {
  const std::size_t n = 613;
  const Evidence::Data data = some_data(n, 2);
  Evidence evidence(data, KernelCoordinates(Kernel::parse("2*rbf(gamma=0.4)")), 2, silent);
  std::vector<double> t = coordinates_of(evidence, 0.1), gradient(t.size());
  const double value = evidence(t, gradient), trace = evidence.inverse_noise_trace();
  const std::vector<double> alpha = evidence.alpha();
  EXPECT_FALSE(evidence.inverted());
  EXPECT_TRUE(evidence.has_diagonal());
  Evidence again(data, evidence.coordinates(), 1, silent);
  std::vector<double> same(t.size());
  EXPECT_EQ(again(t, same), value);
  EXPECT_EQ(same, gradient);  // whatever the number of threads
  EXPECT_EQ(evidence(t), value);
  EXPECT_EQ(evidence.alpha(), alpha);
  EXPECT_FALSE(evidence.has_diagonal());
  EXPECT_NEAR(trace, evidence.inverse_noise_trace(), 1e-4 * trace);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double at = t[i], h = 1e-4;
    t[i] = at + h;
    const double above = evidence(t);
    t[i] = at - h;
    const double below = evidence(t);
    t[i] = at;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 1e-5 * double(n)) << "coordinate " << i;
  }
  evidence(t);
  EXPECT_EQ(std::move(again).take_matrix(), std::move(evidence).take_matrix());
}

// Little noise makes A⁻¹ large where K is small, and rounding of the one would be multiplied by the other.
TEST(Evidence, OfManyRowsIsInvertedInFloat64WhereFloat32IsNotEnough) {
  const std::size_t n = 520;
  const Evidence::Data data = some_data(n, 1);
  Evidence evidence(data, KernelCoordinates(Kernel::parse("2*rbf(gamma=1)")), 1, silent);
  const std::vector<double> t = coordinates_of(evidence, 1e-9);
  std::vector<double> gradient(t.size());
  evidence(t, gradient);
  EXPECT_TRUE(evidence.inverted());
  const double trace = evidence.inverse_noise_trace();
  evidence(t);
  EXPECT_FALSE(evidence.inverted());
  EXPECT_NEAR(trace, evidence.inverse_noise_trace(), 1e-6 * trace);
}

// ∂/∂log γ of c·exp(−γd²) is −γd²k: the differences against the formula.
TEST(Evidence, HasDerivativesOfTheKernelToNineDigits) {
  const std::size_t n = 30;
  const Evidence::Data data = some_data(n, 1);
  Evidence evidence(data, KernelCoordinates(Kernel::parse("2*rbf(gamma=0.4)")), 1, silent);
  std::vector<double> gradient(3);
  evidence(coordinates_of(evidence, 0.1), gradient);
  double by_gamma = 0, by_factor = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto x = data.points.row(i), z = data.points.row(j);
      const double d2 = std::pow(x[0] - z[0], 2) + std::pow(x[1] - z[1], 2), k = 2 * std::exp(-0.4 * d2);
      const double weight = 0.5 * (evidence.alpha()[i] * evidence.alpha()[j] - evidence.inverse()[i * n + j]);
      by_gamma += weight * -0.4 * d2 * k;
      by_factor += weight * k;
      size += std::abs(weight * k);
    }
  EXPECT_NEAR(gradient[1], by_gamma, 1e-9 * size);
  EXPECT_NEAR(gradient[0], by_factor, 1e-11 * size);
}

TEST(Evidence, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> first;
  for (const int threads : {1, 2}) {
    Evidence evidence(some_data(600, 1), KernelCoordinates(Kernel::parse("1*rbf(gamma=0.5)")), threads,
                      silent);
    std::vector<double> gradient(3);
    gradient.push_back(evidence(coordinates_of(evidence, 0.1), gradient));
    if (threads == 1) first = gradient;
    EXPECT_EQ(gradient, first);
  }
}

TEST(Evidence, AddsAsLittleNoiseAsMakesEqualRowsPossible) {
  Evidence::Data data{Points(std::vector<std::vector<double>>{{1}, {1}, {2}}), {1, 1, 0}, 1, {1, 1, 1}};
  Evidence evidence(data, KernelCoordinates(Kernel::parse("4*rbf(gamma=1)")), 1, silent);
  const std::vector<double> t{std::log(4.0), 0, -INFINITY};
  EXPECT_TRUE(std::isfinite(evidence(t)));
  EXPECT_GE(evidence.jitter(), 4e-10 * 0.99);
  EXPECT_LE(evidence.jitter(), 4e-8);
  EXPECT_NEAR(evidence.alpha()[0], evidence.alpha()[1], 1e-5);
}

TEST(Evidence, RefusesAMatrixThatNoSmallNoiseMends) {
  Evidence::Data data{Points(std::vector<std::vector<double>>{{1}, {2}}), {1, 0}, 1, {1, 1}};
  Evidence evidence(data, KernelCoordinates(Kernel::parse("constant(c=1) - 2*linear")), 1, silent);
  const std::string message = refusal(ErrorKind::data, [&] { evidence(coordinates_of(evidence, 0.1)); });
  EXPECT_TRUE(message.starts_with("K + noise is not positive definite with noise 0.")) << message;
  EXPECT_TRUE(message.ends_with("raise the noise")) << message;
}

TEST(KernelCoordinates, AreLogarithmsOfWhatMustBePositive) {
  const KernelCoordinates c(Kernel::parse("2*poly(degree=2, scale=3, offset=0) - linear"));
  ASSERT_EQ(c.size(), 4u);
  EXPECT_TRUE(c.logarithmic(0) && c.logarithmic(1));
  EXPECT_FALSE(c.logarithmic(2) || c.logarithmic(3));  // an offset of 0, and the factor −1 of the difference
  EXPECT_EQ(c.start(), (std::vector<double>{std::log(2.0), std::log(3.0), 0, -1}));
  EXPECT_FALSE(c.leading_factor());
  EXPECT_TRUE(KernelCoordinates(Kernel::parse("2*(linear + rbf(gamma=1))")).leading_factor());
  EXPECT_FALSE(KernelCoordinates(Kernel::parse("rbf(gamma=1)")).leading_factor());
  EXPECT_FALSE(KernelCoordinates(Kernel::parse("2*linear*rbf(gamma=1) + delta")).leading_factor());
  EXPECT_EQ(c.at(std::vector<double>{0, std::log(3.0), 0.5, -2}).text(),
            Kernel::parse("1*poly(degree=2, scale=3, offset=0.5) - 2*linear").text());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE(c.low(i), c.start()[i]);
    EXPECT_GT(c.high(i), c.start()[i]);
  }
  EXPECT_EQ(c.low(2), 0);
}

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
