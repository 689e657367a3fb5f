#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Weighted, PrintsItsFunctionOrColumn) {
  EXPECT_EQ(weighted(linear(), "norm").text(), "weighted(linear, by=norm)");
  EXPECT_EQ(weighted(linear(), "exp_norm").text(), "weighted(linear, by=exp_norm, sigma=1)");
  EXPECT_EQ(weighted(linear(), "mass").text(), "weighted(linear, by=mass)");
  EXPECT_EQ(weighted(linear(), "2").text(), "weighted(linear, by=\"2\")");
  EXPECT_EQ(Kernel::parse("weighted(linear, by=@2)").text(), "weighted(linear, by=\"2\")");
  EXPECT_EQ(Kernel::parse("weighted(linear, by=2)").text(), "weighted(linear, by=\"2\")");
  EXPECT_EQ(Kernel::parse("weighted(linear, by=\"body mass\")").text(), "weighted(linear, by=\"body mass\")");
}

TEST(Weighted, KeepsValidityAndNothingElse) {
  const Properties p = weighted(rbf({.gamma = 1}), "norm").properties();
  EXPECT_TRUE(p.psd);
  EXPECT_FALSE(p.translation_invariant || p.radial || p.diagonal);
  EXPECT_EQ(p.bound, INFINITY);
  EXPECT_EQ(weighted(linear(), "norm").prove().because, "f(x) k(x,z) f(z) with a valid k");
  EXPECT_EQ(weighted(sigmoid(), "norm").prove().because, "sigmoid is not positive semidefinite in general");
  EXPECT_FALSE(weighted(sigmoid(), "norm").properties().psd);
}

TEST(Weighted, HasOnePartThatCanBeReplaced) {
  const Kernel k = weighted(linear(), "norm");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "weighted(delta, by=norm)");
}

TEST(Weighted, ByAnUnknownColumnIsRefusedOnceThereAreData) {
  const Points points(Dense<double>{1, 2, Buffer<double>(2, 1.0)}, {"mass", "size"});
  const auto message = [&](const std::string& by) {
    return refusal(ErrorKind::usage, [&] { KernelOperator<double>(weighted(linear(), by), points); });
  };
  EXPECT_EQ(message("mas"), "no column 'mas' in the data; did you mean 'mass'?");
  EXPECT_EQ(message("3"), "no column '3' in the data; columns are named, or numbered from 1 to 2");
}

}  // namespace
}  // namespace mercer
