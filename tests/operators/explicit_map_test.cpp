#include "operators/exact_maps.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

constexpr std::size_t plenty = std::size_t(1) << 30;

TEST(ExplicitMap, IsTheKernelExactly) {
  const auto rows = random_rows(140, 3, 5);
  for (const char* text : {"linear", "poly(degree=3)", "2*linear@[1, 3] + poly(degree=2)*linear",
                           "scaled(poly(degree=2), by=[1, 2, 0.5])"}) {
    const Kernel k = Kernel::parse(text);
    const auto map = explicit_map(k, 3, {}, plenty);
    const auto phi = features_of(*map, as_points(rows), 1);
    double size = 1;
    for (const double value : full(KernelOperator<double>(k, as_points(rows))))
      size = std::max(size, std::abs(value));
    EXPECT_LT(feature_error(phi, k, as_points(rows)).largest, 1e-12 * size) << text;
    EXPECT_TRUE(same_bits(phi, features_of(*map, as_points(rows), 3)));
    EXPECT_TRUE(same_bits(phi, features_of(*map, as_points(rows, Kind::sparse32), 2)));
  }
}

TEST(ExplicitMap, OfNoRowsHasItsFeatures) {
  const auto map = explicit_map(poly({.degree = 2}), 3, {}, plenty);
  EXPECT_EQ(map->features(), 10u);
  EXPECT_TRUE(features_of(*map, Points(Dense<double>{0, 3, {}})).empty());
}

TEST(ExplicitMap, RefusesWhatIsInfiniteOrTooLarge) {
  const auto usage = [](const Kernel& k) {
    return refusal(ErrorKind::usage, [&] { explicit_map(k, 3, {}, plenty); });
  };
  EXPECT_EQ(
      usage(rbf({.gamma = 1}))
          .find(
              "rbf(gamma=1) has infinitely many features, so there is no explicit map of it; nystrom:COUNT"),
      0u);
  EXPECT_EQ(usage(laplace({.lambda = 1.0})).find("laplace(lambda=1) has no finite explicit feature map"), 0u);
  EXPECT_EQ(refusal(ErrorKind::budget, [] { explicit_map(poly({.degree = 30}), 50, {}, 1000000); })
                .find("poly(degree=30, scale=1, offset=1) has 8871412534840453463008 features"),
            0u)
      << refusal(ErrorKind::budget, [] { explicit_map(poly({.degree = 30}), 50, {}, 1000000); });
}

}  // namespace
}  // namespace mercer
