#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
