#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace mercer {
namespace {

TEST(Random, IsXoshiro256PlusPlusSeededBySplitmix64) {  // the numbers of Rust's Xoshiro256PlusPlus
  Random random(0);
  for (const std::uint64_t expected : {5987356902031041503u, 7051070477665621255u, 6633766593972829180u,
                                       211316841551650330u, 9136120204379184874u, 379361710973160858u})
    EXPECT_EQ(random.bits(), expected);
}

TEST(Random, GivesTheSameDistributionsEverywhere) {
  Random uniform(42), below(42);
  for (const double expected :
       {0.8143051451229099, 0.3188210400616611, 0.9838941681774888, 0.7011355981347556})
    EXPECT_EQ(uniform.uniform(), expected);
  for (const std::uint64_t expected : {8u, 3u, 9u, 7u}) EXPECT_EQ(below.below(10), expected);
  // √(−2 ln(1 − u₁)) cos 2πu₂ of the first two numbers above
  EXPECT_NEAR(Random(42).normal(), -0.7689930538210061, 1e-13);
}

TEST(Random, UniformStaysInItsInterval) {
  Random random(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform(-3, 5);
    ASSERT_GE(u, -3);
    ASSERT_LT(u, 5);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / 1e5, 1, 0.03);  // five standard errors are 0.037
  EXPECT_NEAR(squares / 1e5, 64. / 12 + 1, 0.1);
}

TEST(Random, BelowReachesEveryNumberEquallyOften) {
  Random random(2);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts.at(random.below(7));
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chi2, 22.5);  // six degrees of freedom, p = 0.001
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_GT(random.below(UINT64_MAX), 0u);
}

TEST(Random, NormalHasTheMomentsOfANormal) {
  Random random(3);
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    m1 += x / n, m2 += x * x / n, m3 += x * x * x / n, m4 += x * x * x * x / n;
  }
  EXPECT_NEAR(m1, 0, 0.01);
  EXPECT_NEAR(m2, 1, 0.015);
  EXPECT_NEAR(m3, 0, 0.04);
  EXPECT_NEAR(m4, 3, 0.1);
}

}  // namespace
}  // namespace mercer
