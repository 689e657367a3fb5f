// The columns themselves and the sparse features of objects, as RowFeatures gives them.
#include "operators/exact_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "operators/row_features.hpp"
#include "random_objects.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

TEST(ExactMaps, HasTheKernelAsItsDotProducts) {
  const Points x = random_table(17, 1), z = random_table(23, 2);
  for (const char* text :
       {"spectrum(k=2)", "spectrum(k=3)@dna", "0.3*spectrum(k=1) + spectrum(k=2)",
        "normalize(spectrum(k=2))@dna + 2*linear@[mass, logp]",
        "normalize(spectrum(k=4) + 0.1*spectrum(k=2))", "linear", "2.5*linear", "0.5*linear@logp"}) {
    const Kernel k = Kernel::parse(text);
    const auto image = RowFeatures::of(k, z, 2);
    ASSERT_TRUE(image) << text;
    const Points phi = image->rows_of(x);
    ASSERT_EQ(phi.cols(), image->features());
    std::vector<double> K(17 * 23);
    KernelOperator<double>(k, x, z).matrix(K);
    for (std::size_t i = 0; i < 17; ++i)
      for (std::size_t j = 0; j < 23; ++j) {
        const auto a = phi.row(i), b = image->table().row(j);
        double dot = 0;
        for (std::size_t c = 0; c < a.size(); ++c) dot += a[c] * b[c];
        EXPECT_NEAR(dot, K[i * 23 + j], 1e-12 * (1 + std::abs(dot))) << text;
      }
  }
}

TEST(ExactMaps, IsNotThereWhereTheKernelIsNoDotProductOfFeatures) {
  const Points x = random_table(5, 1);
  for (const char* text : {"rbf(gamma=1)", "exp(spectrum(k=2))", "spectrum(k=2)*linear",
                           "center(spectrum(k=2))", "spectrum(k=2) + rbf(gamma=1)@[mass]"})
    EXPECT_FALSE(RowFeatures::of(Kernel::parse(text), x, 1)) << text;
}

TEST(ExactMaps, WeightsArePointsOfTheKernelWhereFeaturesAreColumns) {
  const Points x = random_table(9, 3);
  const Dense<double> weights{2, 1, Buffer<double>(2, 0.75)};
  const auto one = RowFeatures::of(Kernel::parse("3*linear@logp"), x, 1);
  ASSERT_TRUE(one);
  const auto points = one->points_of(weights, x);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->cols(), x.cols());
  std::vector<double> K(2 * 9);
  KernelOperator<double>(Kernel::parse("3*linear@logp"), *points, x).matrix(K);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(K[9 + i], 0.75 * one->table().row(i)[0], 1e-12);
  EXPECT_FALSE(RowFeatures::of(Kernel::parse("spectrum(k=2)"), x, 1)->points_of(weights, x));
}

constexpr std::size_t enough_memory = std::size_t(1) << 30;

TEST(ExplicitMap, IsTheKernelExactly) {
  const auto rows = random_rows(140, 3, 5);
  for (const char* text : {"linear", "poly(degree=3)", "2*linear@[1, 3] + poly(degree=2)*linear",
                           "scaled(poly(degree=2), by=[1, 2, 0.5])"}) {
    const Kernel k = Kernel::parse(text);
    const auto map = explicit_map(k, 3, {}, enough_memory);
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
  const auto map = explicit_map(poly({.degree = 2}), 3, {}, enough_memory);
  EXPECT_EQ(map->features(), 10u);
  EXPECT_TRUE(features_of(*map, Points(Dense<double>{0, 3, {}})).empty());
}

TEST(ExplicitMap, RefusesWhatIsInfiniteOrTooLarge) {
  const auto usage = [](const Kernel& k) {
    return refusal(ErrorKind::usage, [&] { explicit_map(k, 3, {}, enough_memory); });
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
