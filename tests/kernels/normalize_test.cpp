#include <gtest/gtest.h>

#include <cmath>

#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Normalize, PrintsAndHasOnePart) {
  const Kernel k = normalize(linear() + delta());
  EXPECT_EQ(k.text(), "normalize(linear + delta)");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "normalize(delta)");
}

TEST(Normalize, IsBoundedByOneWhereItIsValid) {
  EXPECT_EQ(normalize(linear()).properties().bound, 1);
  EXPECT_FALSE(normalize(linear()).properties().diagonal) << "the zero vector has 0";
  const Properties p = normalize(3 * rbf({.gamma = 1})).properties();
  EXPECT_TRUE(p.psd && p.translation_invariant && p.radial);
  EXPECT_EQ(p.bound, 1);
  EXPECT_EQ(p.diagonal, 1);
  EXPECT_EQ(normalize(sigmoid()).properties().bound, INFINITY);
}

TEST(Normalize, OfAZeroOrNegativeDiagonalDoesNotClaimOne) {
  EXPECT_EQ(normalize(constant({.c = 0})).properties().diagonal, 0);
  EXPECT_FALSE(normalize(-1 * rbf({.gamma = 1})).properties().diagonal);
}

TEST(Normalize, IsValidWhereItsKernelIs) {
  EXPECT_EQ(normalize(linear()).prove().because, "a valid kernel, normalised");
  EXPECT_FALSE(normalize(sigmoid()).properties().psd);
  EXPECT_EQ(normalize(sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Center, PrintsAndHasOnePart) {
  const Kernel k = center(linear() + delta());
  EXPECT_EQ(k.text(), "center(linear + delta)");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "center(delta)");
}

TEST(Center, KeepsValidityAndABoundButNoInvariance) {
  const Properties p = center(rbf({.gamma = 1})).properties();
  EXPECT_TRUE(p.psd);
  EXPECT_EQ(p.bound, 4) << "‖φ(x) − φ̄‖ ≤ 2";
  EXPECT_FALSE(p.translation_invariant || p.radial || p.diagonal);
  EXPECT_EQ(center(linear()).properties().bound, INFINITY);
}

TEST(Center, IsValidWhereItsKernelIs) {
  EXPECT_EQ(center(linear()).prove().because, "a valid kernel, centred in its feature space");
  EXPECT_FALSE(center(sigmoid()).properties().psd);
  EXPECT_EQ(center(sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
}

}  // namespace
}  // namespace mercer
