#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

Kernel mine(bool psd = false) {
  return user_kernel(
      "mine", [](std::span<const double>, std::span<const double>) { return 1.0; }, psd);
}

TEST(UserKernel, PrintsANameThatDoesNotParse) {
  EXPECT_EQ(mine().text(), "user:mine");
  EXPECT_EQ((2 * mine() + linear()).text(), "2*user:mine + linear");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { Kernel::parse(mine().text()); }),
            "unknown kernel 'user' (the catalogue of kernels lists all)\n  user:mine\n  ^~~~");
}

TEST(UserKernel, IsValidOnlyWhereItsAuthorSaysSo) {
  EXPECT_FALSE(mine().properties().psd);
  EXPECT_FALSE(mine().prove().psd);
  EXPECT_EQ(mine().prove().because, "user:mine is a function about which nothing is known");
  EXPECT_TRUE(mine(true).properties().psd);
  EXPECT_TRUE(mine(true).prove().psd);
  EXPECT_EQ(mine(true).prove().because, "user:mine is declared positive semidefinite by its author");
  EXPECT_EQ(mine(true).properties().bound, INFINITY);
}

TEST(UserKernel, HasNoPartsAndNothingToResolve) {
  EXPECT_TRUE(mine().parts().empty());
  EXPECT_TRUE(mine().resolved());
  EXPECT_EQ(mine().node().with_parts({}).text(), "user:mine");
  EXPECT_TRUE((mine() * rbf()).resolve(Points({{1, 2}, {3, 4}})).resolved());
}

TEST(UserKernel, HasNoExplicitFeatureMap) {
  struct NoAlgebra final : FeatureAlgebra {
    int terms() const override { return 1; }
    Id coordinates() override { return 0; }
    Id series(Id, const Series&) override { return 0; }
    Id join(std::span<const Id>) override { return 0; }
    Id tensor(Id, Id) override { return 0; }
    Id weigh(Id, const PointFunction&) override { return 0; }
    Id normalize(Id) override { return 0; }
    Id mapped(const PointMap&, const std::function<Id()>& inside) override { return inside(); }
  } algebra;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { mine().node().features(algebra); })
                .find("user:mine has no finite explicit feature map; "),
            0u);
}

}  // namespace
}  // namespace mercer
