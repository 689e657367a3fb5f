// The columns themselves and the sparse features of objects, as RowFeatures gives them.
#include "operators/exact_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/row_features.hpp"
#include "random_objects.hpp"

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

}  // namespace
}  // namespace mercer
