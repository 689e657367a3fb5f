#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Product, PrintsItsFactorsWithTheBracketsTheyNeed) {
  const Kernel a = linear(), b = delta(), c = cosine();
  EXPECT_EQ((a * b * c).text(), "linear*delta*cosine");
  EXPECT_EQ((a * (b * c)).text(), "linear*(delta*cosine)");
  EXPECT_EQ(((a + b) * c).text(), "(linear + delta)*cosine");
  EXPECT_EQ((a * (2 * b)).text(), "linear*(2*delta)");
  EXPECT_EQ(((2 * a) * b).text(), "2*linear*delta");
  EXPECT_EQ((a * pow(b, 2)).text(), "linear*delta^2");
}

TEST(Product, MultipliesBoundAndDiagonal) {
  const Properties p = (2 * rbf({.gamma = 1}) * (-3 * laplace({.lambda = 1}))).properties();
  EXPECT_EQ(p.bound, 6);
  EXPECT_EQ(p.diagonal, -6);
  EXPECT_TRUE(p.translation_invariant && p.radial);
  EXPECT_FALSE(p.psd);
  const Properties mixed = (rbf({.gamma = 1}) * linear()).properties();
  EXPECT_TRUE(mixed.psd);
  EXPECT_FALSE(mixed.translation_invariant || mixed.radial || mixed.diagonal);
  EXPECT_EQ(mixed.bound, INFINITY);
}

TEST(Product, WithZeroIsBoundedByZero) {
  EXPECT_EQ((linear() * constant({.c = 0})).properties().bound, 0);
  EXPECT_EQ((constant({.c = 0}) * linear() * linear()).properties().bound, 0);
}

TEST(Product, IsValidWhereAllFactorsAre) {
  EXPECT_EQ((linear() * delta()).prove().because, "a product of valid kernels");
  const Kernel k = linear() * sigmoid();
  EXPECT_FALSE(k.properties().psd);
  EXPECT_EQ(k.prove().because, "sigmoid is not positive semidefinite in general");
  const Kernel twice_negative = (-1 * linear()) * (-1 * linear());
  EXPECT_FALSE(twice_negative.prove().psd) << "true, but no rule covers it";
}

TEST(Product, FlattensToTheLeftAlone) {
  EXPECT_EQ((linear() * delta() * cosine()).parts().size(), 3u);
  EXPECT_EQ((linear() * (delta() * cosine())).parts().size(), 2u);
  EXPECT_EQ((linear() * delta()).node().with_parts({cosine(), rbf()}).text(), "cosine*rbf(gamma=scale)");
}

TEST(Power, PrintsItsBaseWithTheBracketsItNeeds) {
  EXPECT_EQ(pow(linear(), 3).text(), "linear^3");
  EXPECT_EQ(pow(pow(linear(), 2), 3).text(), "(linear^2)^3");
  EXPECT_EQ(pow(linear() * delta(), 2).text(), "(linear*delta)^2");
  EXPECT_EQ(pow(2 * linear(), 2).text(), "(2*linear)^2");
  EXPECT_EQ(pow(linear(), 2).node().with_parts({delta()}).text(), "delta^2");
}

TEST(Power, RaisesBoundAndDiagonal) {
  const Properties p = pow(-2 * rbf({.gamma = 1}), 3).properties();
  EXPECT_EQ(p.bound, 8);
  EXPECT_EQ(p.diagonal, -8);
  EXPECT_TRUE(p.translation_invariant && p.radial);
  EXPECT_EQ(pow(linear(), 2).properties().bound, INFINITY);
}

TEST(Power, IsValidWhereItsBaseIs) {
  EXPECT_EQ(pow(linear(), 2).prove().because, "a power of a valid kernel");
  EXPECT_FALSE(pow(sigmoid(), 2).properties().psd);
  EXPECT_EQ(pow(sigmoid(), 2).prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Power, HasAWholeExponentFrom1To1000) {
  for (const int bad : {0, -1, 1001})
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { pow(linear(), bad); }),
              "the exponent of a kernel must be a whole number from 1 to 1000, not " + std::to_string(bad));
  EXPECT_EQ(pow(linear(), 1).text(), "linear^1");
}

TEST(Product, AddsFrequenciesOfEveryPairOfTerms) {
  const Kernel k =
      (2 * rbf({.gamma = 1}) + 3 * laplace({.lambda = 1.0})) * (5 * rbf({.gamma = 2}) + constant({.c = 7}));
  const auto terms = k.node().spectrum();
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].weight, 10);
  EXPECT_EQ(terms[0].factors.size(), 2u);
  EXPECT_EQ(terms[3].weight, 21);
  EXPECT_EQ(terms[3].factors.size(), 1u);
  EXPECT_EQ(pow(2 * rbf({.gamma = 1}), 3).node().spectrum().at(0).weight, 8);
  EXPECT_EQ(
      refusal(ErrorKind::usage, [] { pow(rbf({.gamma = 1}) + constant(), 10).node().spectrum(); }),
      "the product of sums has over 1000 terms, too many for Fourier features; nystrom takes any kernel");
}

TEST(Power, OfAPowerOverDotProductsIsOne) {
  const auto power = pow(2 * poly({.degree = 2, .scale = 3}), 4).node().dot_power();
  ASSERT_TRUE(power);
  EXPECT_EQ(power->degree, 8);
  EXPECT_EQ(power->weight, 16);
  EXPECT_EQ(power->scale, 3);
  EXPECT_FALSE(pow(poly({.degree = 2}), 501).node().dot_power());
  EXPECT_FALSE(pow(-1 * linear(), 2).node().dot_power());
}

TEST(Polynomial, PrintsAndHasOnePart) {
  const Kernel k = polynomial(linear() + delta(), {1, -0.5, 0.1 + 0.2});
  EXPECT_EQ(k.text(), "polynomial(linear + delta, coefficients=[1, -0.5, 0.30000000000000004])");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.node().with_parts({delta()}).text(),
            "polynomial(delta, coefficients=[1, -0.5, 0.30000000000000004])");
}

TEST(Polynomial, AddsUpBoundAndDiagonal) {
  const Properties p = polynomial(2 * rbf({.gamma = 1}), {1, -2, 3}).properties();
  EXPECT_EQ(p.bound, 1 + 2 * 2 + 3 * 4);
  EXPECT_EQ(p.diagonal, 1 - 2 * 2 + 3 * 4);
  EXPECT_TRUE(p.translation_invariant && p.radial);
  EXPECT_FALSE(p.psd);
}

TEST(Polynomial, OfAnUnboundedKernelIsBoundedOnlyWhereItIsConstant) {
  EXPECT_EQ(polynomial(linear(), {1, 2}).properties().bound, INFINITY);
  EXPECT_EQ(polynomial(linear(), {3}).properties().bound, 3);
  EXPECT_EQ(polynomial(linear(), {3, 0, 0}).properties().bound, 3) << "0·∞ must not spoil it";
  EXPECT_EQ(polynomial(linear(), {0, 0, 1, 0}).properties().bound, INFINITY);
}

TEST(Polynomial, IsValidWithoutNegativeCoefficientsOfAValidKernel) {
  EXPECT_TRUE(polynomial(linear(), {0, 1, 2}).properties().psd);
  EXPECT_EQ(polynomial(linear(), {0, 1, 2}).prove().because,
            "a polynomial with non-negative coefficients of a valid kernel");
  EXPECT_EQ(polynomial(linear(), {1, -1}).prove().because,
            "polynomial(linear, coefficients=[1, -1]) has a negative coefficient, which no rule allows");
  EXPECT_FALSE(polynomial(linear(), {1, -1}).properties().psd);
  EXPECT_EQ(polynomial(sigmoid(), {1, 1}).prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Polynomial, NeedsFiniteCoefficients) {
  for (const std::vector<double>& bad : {std::vector<double>{}, {1, NAN}, {INFINITY}})
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { polynomial(linear(), bad); }),
              "coefficients must be a list of at least one finite number, constant term first");
}

TEST(Exp, PrintsAndHasOnePart) {
  const Kernel k = exp(2 * linear());
  EXPECT_EQ(k.text(), "exp(2*linear)");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.parts()[0].text(), "2*linear");
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "exp(delta)");
  EXPECT_EQ((exp(linear()) * exp(delta())).text(), "exp(linear)*exp(delta)");
}

TEST(Exp, KeepsPropertiesAndRaisesBoundAndDiagonal) {
  const Properties p = exp(2 * rbf({.gamma = 1})).properties();
  EXPECT_TRUE(p.psd && p.translation_invariant && p.radial);
  EXPECT_EQ(p.bound, std::exp(2));
  EXPECT_EQ(p.diagonal, std::exp(2));
  const Properties negative = exp(-2 * rbf({.gamma = 1})).properties();
  EXPECT_EQ(negative.bound, std::exp(2));
  EXPECT_EQ(negative.diagonal, std::exp(-2));
  EXPECT_EQ(exp(linear()).properties().bound, INFINITY);
  EXPECT_FALSE(exp(linear()).properties().diagonal);
}

TEST(Exp, IsValidWhereItsKernelIs) {
  EXPECT_EQ(exp(linear()).prove().because, "the exponential of a valid kernel");
  EXPECT_FALSE(exp(sigmoid()).properties().psd);
  EXPECT_EQ(exp(sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
}

}  // namespace
}  // namespace mercer
