#include "mercer/spectral_density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

constexpr double pi = 3.14159265358979323846;

SpectralDensity of(const std::string& text) { return spectral_density(Kernel::parse(text)); }

/// p where the grid is nearest.
double at(const SpectralDensity& found, double frequency, double& where) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < found.frequencies.size(); ++i)
    if (std::abs(found.frequencies[i] - frequency) < std::abs(found.frequencies[best] - frequency)) best = i;
  where = found.frequencies[best];
  return found.density[best];
}

double value_at(const std::string& text, double difference, std::size_t columns) {
  std::vector<double> x(columns, 0.0), z(columns, 0.0);
  x[0] = difference;
  std::vector<double> K(1);
  KernelOperator<double>(Kernel::parse(text), Points({x}), Points({z})).matrix(K);
  return K[0];
}

TEST(SpectralDensityOf, HasTheKernelAsItsTransform) {
  // ∫ p(ω) cos(ωτ) dω over the grid, by the trapezoidal rule, against k(τ) itself.
  for (const auto& [text, columns] : std::vector<std::pair<std::string, std::size_t>>{
           {"rbf(gamma=2)", 1},
           {"0.5*rbf(sigma=3) + 2*matern(nu=2.5, length=0.5)", 1},
           {"matern(nu=1.5, length=2)", 1},
           {"matern(nu=3.2, length=2)", 1},
           {"rational_quadratic(alpha=2, length=0.7)", 1},
           {"rbf(gamma=1)*rbf(gamma=3)", 1},
           {"scaled(rbf(gamma=1), by=[3, 0.5])", 2},
           {"spectral_mixture(weights=[1, 2], means=[0.2, 0.7], variances=[0.01, 0.04])", 1},
           {"spectral_mixture(weights=[1], means=[3], variances=[0.0001])", 1},
           {"rbf(gamma=1) + constant(c=0.25)", 1}}) {
    const SpectralDensity found = of(text);
    EXPECT_FALSE(found.terms.empty()) << text;
    EXPECT_NEAR(found.variance, value_at(text, 0, columns), 1e-12);
    for (const double difference : {0.0, 0.3, 1.0}) {
      double sum = 0;
      for (const auto& line : found.lines) sum += line.mass * std::cos(line.frequency * difference);
      double low = 0, before = found.density[0];
      for (std::size_t i = 0; i < found.density.size(); ++i) {
        const double high = found.frequencies[i];
        const int pieces = 20;  // cos(ωτ) turns faster than p changes
        for (int s = 0; s < pieces; ++s) {
          const double share = (s + 0.5) / pieces, frequency = low + (high - low) * share;
          sum += 2 * (before + (found.density[i] - before) * share) * std::cos(frequency * difference) *
                 (high - low) / pieces;
        }
        low = high;
        before = found.density[i];
      }
      EXPECT_NEAR(sum, value_at(text, difference, columns), 2e-3 * found.variance)
          << text << " at " << difference;
    }
  }
}

TEST(SpectralDensityOf, IsTheTextbookFormula) {
  double w = 0;
  const SpectralDensity gaussian = of("2*rbf(sigma=0.5)"), cauchy = of("laplace(lambda=3)"),
                        t = of("matern(nu=1.5, length=2)");
  for (const double frequency : {0.5, 2.0, 5.0}) {
    double p = at(gaussian, frequency, w);
    EXPECT_NEAR(p, 2 * 0.5 / std::sqrt(2 * pi) * std::exp(-0.125 * w * w), 1e-12);
    p = at(cauchy, frequency, w);
    EXPECT_NEAR(p, 3 / (pi * (9 + w * w)), 1e-12);
    p = at(t, frequency, w);
    const double a = std::sqrt(3.0) / 2;  // Rasmussen & Williams 2006, eq. 4.15 in one dimension, over 2π
    EXPECT_NEAR(p, 2 * a * a * a / (pi * std::pow(a * a + w * w, 2)), 1e-12);
  }
  EXPECT_EQ(cauchy.decay, 2);
  EXPECT_EQ(t.decay, 4);
  EXPECT_FALSE(gaussian.decay);
  EXPECT_NEAR(gaussian.quantile(0.5), 0.67449 * 2, 5e-3);
  EXPECT_NEAR(cauchy.quantile(0.5), 3, 1e-2);
  EXPECT_NEAR(t.quantile(0.9), 2.35336 / 2, 5e-3);
  EXPECT_EQ(of("rbf(gamma=1) + constant(c=3)").quantile(0.5), 0) << "within the line";
}

TEST(SpectralDensityOf, IsMeasuredWhereItIsNotKnown) {
  // exp(k) and polynomial(k) have no known frequencies, but some of them have closed forms all the same.
  const SpectralDensity measured = of("polynomial(matern(nu=1.5, length=2), coefficients=[0, 2])"),
                        known = of("2*matern(nu=1.5, length=2)");
  EXPECT_TRUE(measured.terms.empty());
  EXPECT_EQ(measured.resolution, 0);
  for (std::size_t i = 0; i < measured.density.size(); ++i)
    if (known.density[i] > 1e-5 * known.density[0]) {
      ASSERT_EQ(measured.frequencies[i], known.frequencies[i]);
      EXPECT_NEAR(measured.density[i], known.density[i], 1e-3 * known.density[i]) << measured.frequencies[i];
    }
  ASSERT_TRUE(measured.decay);
  EXPECT_NEAR(*measured.decay, 4, 0.2);
  // A constant under it is a line at 0.
  const SpectralDensity lifted = of("polynomial(rbf(gamma=1), coefficients=[0.5, 1])");
  ASSERT_EQ(lifted.lines.size(), 1u);
  EXPECT_EQ(lifted.lines[0].frequency, 0);
  EXPECT_NEAR(lifted.lines[0].mass, 0.5, 1e-9);
  // e^(−2 sin²(πτ)) is made of the frequencies 0, 2π, 4π …
  const SpectralDensity periodic = of("periodic(period=1, length=1)");
  EXPECT_GT(periodic.resolution, 0);
  double peak = 0, between = 0, where = 0;
  peak = at(periodic, 2 * pi, where);
  between = at(periodic, 3 * pi, where);
  EXPECT_GT(peak, 50 * between);
}

/// The coefficients of ∫f², ∫f′² … in the words.
std::vector<double> coefficients_in(const std::string& words) {
  std::vector<double> found;
  for (std::size_t place = words.find("= ") + 2; place < words.size();) {
    found.push_back(std::stod(words.substr(place)));
    place = words.find(" + ", place);
    if (place == std::string::npos || words[place + 3] == "…"[0]) break;
    place += 3;
  }
  return found;
}

// ‖k(·, 0)‖² = k(0, 0), with the derivatives of k and their integrals taken numerically.
TEST(SpectralDensityOf, PenaltyIsTheNormOfTheKernelItself) {
  for (const auto& [text, orders] :
       std::vector<std::pair<std::string, std::size_t>>{{"laplace(lambda=3)", 2},
                                                        {"2*matern(nu=0.5, length=2)", 2},
                                                        {"matern(nu=1.5, length=2)", 3},
                                                        {"3*matern(nu=1.5, length=0.4)", 3}}) {
    const SpectralDensity found = of(text);
    const std::vector<double> a = coefficients_in(found.penalty);
    ASSERT_EQ(a.size(), orders) << found.penalty;
    const double h = 1e-3, reach = 30;
    double norm = 0;
    for (double x = h / 2; x < reach; x += h) {  // on one side, as the kink at 0 is no part of the integral
      const double step = 1e-4;
      const double f = value_at(text, x, 1), up = value_at(text, x + step, 1),
                   down = value_at(text, x - step, 1);
      const double values[] = {f, (up - down) / (2 * step), (up - 2 * f + down) / (step * step)};
      for (std::size_t m = 0; m < orders; ++m) norm += 2 * h * a[m] * values[m] * values[m];
      if (std::abs(f) < 1e-7 * found.variance) break;
    }
    EXPECT_NEAR(norm, found.variance, 2e-2 * found.variance) << text << ": " << found.penalty;
  }
  EXPECT_NE(of("rbf(gamma=1)").penalty.find("every derivative is penalised"), std::string::npos);
  EXPECT_NE(of("matern(nu=0.8, length=1)").penalty.find("fractional order 1.3"), std::string::npos);
  EXPECT_NE(of("rbf(gamma=1) + laplace(lambda=1)").penalty.find("Aronszajn"), std::string::npos);
}

TEST(SpectralDensityOf, GaussianPenaltyBeginsAsItsSeries) {
  // ‖f‖² of f = cos(wx) per unit of length is cos² ½ over 2π p(w): the series in w² of 1/p.
  const std::vector<double> a = coefficients_in(of("rbf(sigma=2)").penalty);
  ASSERT_EQ(a.size(), 4u);
  const double w = 0.1;
  const double p = 2 / std::sqrt(2 * pi) * std::exp(-2 * w * w);
  EXPECT_NEAR(a[0] + a[1] * w * w + a[2] * std::pow(w, 4), 1 / (2 * pi * p), 1e-4);
}

TEST(SpectralDensityOf, RefusesWhatHasNone) {
  const auto said = [](const std::string& text) { return refusal(ErrorKind::usage, [&] { of(text); }); };
  EXPECT_NE(said("linear").find("linear is not translation invariant"), std::string::npos);
  EXPECT_NE(said("distance").find("not proved positive semidefinite"), std::string::npos);
  EXPECT_NE(said("delta").find("delta is not continuous at 0"), std::string::npos);
  EXPECT_NE(said("rbf").find("rbf(gamma=scale) has words in the place of numbers"), std::string::npos);
}

TEST(SpectralDensityOf, KnowsConstantsAndColumns) {
  const SpectralDensity constant = of("constant(c=2)");
  EXPECT_TRUE(constant.density.empty());
  ASSERT_EQ(constant.lines.size(), 1u);
  EXPECT_EQ(constant.lines[0].mass, 2);
  EXPECT_EQ(of("rbf(gamma=1)@age").column, "age");
}

}  // namespace
}  // namespace mercer
