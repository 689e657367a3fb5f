#include "kernels/special_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "reference_kernels.hpp"

namespace mercer {
namespace {

TEST(MaternValue, EqualsTheIntegralOfTheBesselFunction) {
  for (const double nu : {0.01, 0.3, 0.5, 0.8, 1.0, 1.2, 1.5, 1.99, 2.0})
    for (const double t : {1e-12, 1e-5, 0.01, 0.4, 1.0, 3.3, 10.0, 50.0, 300.0, 700.0}) {
      const double expected = matern_by_integral(nu, t);
      EXPECT_NEAR(matern_value(nu, t), expected, 2e-13 * expected + 1e-300) << nu << " " << t;
    }
}

TEST(MaternValue, IsTheClosedFormOfHalves) {
  for (const double t : {0.0, 1e-9, 0.5, 2.0, 30.0}) {
    EXPECT_NEAR(matern_value(0.5, t), std::exp(-t), 1e-14);
    EXPECT_NEAR(matern_value(1.5, t), (1 + t) * std::exp(-t), 1e-14);
  }
}

TEST(MaternValue, HasItsLimits) {
  for (const double nu : {1e-3, 0.2, 1.0, 1.7, 2.0}) {
    EXPECT_EQ(matern_value(nu, 0), 1);
    EXPECT_EQ(matern_value(nu, 1e4), 0);
    EXPECT_EQ(matern_value(nu, std::numeric_limits<double>::infinity()), 0);
    EXPECT_TRUE(std::isnan(matern_value(nu, NAN)));
    double before = 1;
    for (double t = 1e-300; t < 1e3; t *= 10) {  // finite, and falling
      const double value = matern_value(nu, t);
      EXPECT_TRUE(value >= 0 && value <= before + 1e-13) << nu << " " << t;
      before = value;
    }
  }
  // 1 − M(t) ≈ Γ(1−ν)/Γ(1+ν) (t/2)^2ν: far from 0 however small t is.
  EXPECT_NEAR(1 - matern_value(0.05, 1e-20), std::tgamma(0.95) / std::tgamma(1.05) * std::pow(0.5e-20, 0.1),
              1e-4);
}

TEST(MaternTable, HasTheSameValues) {
  for (const double nu : {0.01, 0.3, 0.8, 1.0, 1.2, 1.99, 2.0}) {
    const MaternTable table(nu);
    for (double t = 1e-14; t < 740; t *= 1.07) {
      const double expected = matern_value(nu, t);
      EXPECT_NEAR(table(t), expected, 3e-14 * expected + 1e-300) << nu << " " << t;
    }
    for (int e = -50; e < 10; ++e)  // the ends of the intervals
      for (const double t : {std::ldexp(1, e), std::nextafter(std::ldexp(1, e), 0)})
        EXPECT_NEAR(table(t), matern_value(nu, t), 3e-14 * matern_value(nu, t) + 1e-300) << nu << " " << t;
    EXPECT_EQ(table(0), 1);
    EXPECT_EQ(table(1e5), 0);
    EXPECT_TRUE(std::isnan(table(NAN)));
  }
}

TEST(MaternTable, IsMadeOnce) {
  const auto first = MaternTable::of(0.77);
  EXPECT_EQ(MaternTable::of(0.77), first);
  for (int i = 0; i < 20; ++i)
    EXPECT_NEAR((*MaternTable::of(0.1 + 0.09 * i))(1.5), matern_value(0.1 + 0.09 * i, 1.5), 1e-14);
  EXPECT_EQ((*first)(2), (*MaternTable::of(0.77))(2)) << "which may have been forgotten";
}

TEST(AngleOf, IsTheArcCosineOfWhatWasComputed) {
  for (const double cosine : {-0.99, -0.3, 0.0, 0.5, 0.9999}) EXPECT_EQ(angle_of(cosine), std::acos(cosine));
  for (const double above : {1.0, 1 + 1e-15, 1 - 1e-15, 1.5}) {
    EXPECT_EQ(angle_of(above), 0);
    EXPECT_EQ(angle_of(-above), std::numbers::pi);
  }
}

}  // namespace
}  // namespace mercer
