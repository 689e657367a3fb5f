#include <gtest/gtest.h>

#include <cmath>

#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

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
