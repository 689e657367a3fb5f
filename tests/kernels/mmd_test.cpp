#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/kernels.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {
namespace {

/// The mean of (1 + aᵀb)² over all pairs; 0 without any.
double mean_of_pairs(const Bag& A, const Bag& B) {
  double sum = 0;
  for (const auto& a : A)
    for (const auto& b : B) {
      double dot = 1;
      for (std::size_t k = 0; k < a.size(); ++k) dot += a[k] * b[k];
      sum += dot * dot;
    }
  return A.empty() || B.empty() ? 0 : sum / double(A.size() * B.size());
}

TEST(MmdKernel, IsAGaussianOfTheDistanceOfTheMeans) {
  const std::vector<Bag> x = random_bags(9, 2, 1), z = random_bags(8, 2, 2);
  const auto K = matrix_of(Kernel::parse("mmd((1 + linear)^2, gamma=0.1)"), bags_of(x, 2), bags_of(z, 2));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double squared =
          mean_of_pairs(x[i], x[i]) + mean_of_pairs(z[j], z[j]) - 2 * mean_of_pairs(x[i], z[j]);
      EXPECT_NEAR(K[i * z.size() + j], std::exp(-0.1 * squared), 1e-12);
    }
}

TEST(MmdKernel, OfALinearKernelSeesTheMeansAlone) {
  const auto K = matrix_of(Kernel::parse("mmd(linear, gamma=2)"),
                           bags_of({{{-1.0}, {1.0}}, {{0.0}}, {{3.0}, {1.0}}}, 1));
  EXPECT_EQ(K[1], 1);
  EXPECT_NEAR(K[2], std::exp(-8), 1e-15);
  EXPECT_LT(matrix_of(Kernel::parse("mmd(rbf(gamma=1))"), bags_of({{{-1.0}, {1.0}}, {{0.0}}}, 1))[1], 0.8)
      << "the Gaussian sees the spread too";
}

TEST(MmdKernel, IsPositiveSemidefiniteWithOnesOnTheDiagonal) {
  const Points points = bags_of(random_bags(40, 2, 3), 2);
  const Kernel k = Kernel::parse("mmd(rbf(gamma=1), gamma=3)");
  const auto K = matrix_of(k, points);
  EXPECT_GE(least_eigenvalue(K, 40), -1e-9);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(K[i * 41], 1);
  EXPECT_EQ(K, matrix_of(k, points, 3));
  EXPECT_EQ(k.properties().bound, 1);
  EXPECT_EQ(k.properties().diagonal, 1);
  EXPECT_TRUE(k.properties().psd);
  EXPECT_FALSE(mmd_kernel(sigmoid()).properties().psd);
}

TEST(MmdKernel, ReadsPrintsAndResolves) {
  EXPECT_EQ(Kernel::parse("mmd(linear)").text(), "mmd(linear, gamma=1)");
  EXPECT_EQ(mmd_kernel(delta(), 0.25).text(), "mmd(delta, gamma=0.25)");
  const Kernel k = Kernel::parse("mmd(rbf, gamma=2)").resolve(bags_of({{{0.0}, {2.0}}, {}}, 1));
  EXPECT_EQ(k.text(), "mmd(" + rbf().resolve(Points(Bag{{0.0}, {2.0}})).text() + ", gamma=2)");
  const std::vector<double> numbers{3, 4};
  EXPECT_EQ(with_parameters(k, numbers).text(), "mmd(rbf(gamma=3), gamma=4)");
}

TEST(MmdKernel, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("mmd(rbf, gamma=0)").find("mmd: gamma must be > 0 and at most 1e300, not 0"),
            std::string::npos);
  EXPECT_NE(parsed("mmd(rbf, gamma=scale)").find("gamma must be a number > 0, not scale"), std::string::npos);
  EXPECT_NE(parsed("mmd(center(rbf))").find("center depends on all points"), std::string::npos);
}

}  // namespace
}  // namespace mercer
