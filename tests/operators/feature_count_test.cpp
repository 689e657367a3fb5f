#include "operators/feature_count.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mercer {
namespace {

TEST(BigCount, IsExactBelowTwoToThe128) {
  const BigCount big =
      power(BigCount(2), 127) + (power(BigCount(2), 127) + BigCount::from(~BigCount::Wide(0) >> 1) * 0);
  EXPECT_FALSE(big.digits());  // 2¹²⁸ itself
  EXPECT_NEAR(big.log10(), 128 * std::log10(2), 1e-12);
  EXPECT_EQ(*BigCount::from(~BigCount::Wide(0)).digits(), "340282366920938463463374607431768211455");
  EXPECT_EQ(*(BigCount::from(~BigCount::Wide(0) - 1) + 1).digits(),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(*power(BigCount(10), 38).digits(), "1" + std::string(38, '0'));
  EXPECT_FALSE(power(BigCount(10), 39).digits());
  EXPECT_NEAR(power(BigCount(10), 400).log10(), 400, 1e-10);
}

TEST(BigCount, CountsZeroAndSmallNumbers) {
  EXPECT_EQ(*BigCount(0).digits(), "0");
  EXPECT_EQ(BigCount(0).log10(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(*(BigCount(0) * BigCount::approximate(1000)).digits(), "0");
  EXPECT_EQ((BigCount(0) + BigCount::approximate(1000)).log10(), 1000);
  EXPECT_EQ(*BigCount(907).small(), 907u);
  EXPECT_FALSE(power(BigCount(2), 64).small());
  EXPECT_FALSE(BigCount::approximate(3).small());
  EXPECT_EQ(*power(BigCount(7), 0).digits(), "1");
  EXPECT_NEAR((BigCount::approximate(200) + BigCount::approximate(200)).log10(), 200 + std::log10(2), 1e-12);
}

TEST(Monomials, FollowPascalsTriangle) {
  std::vector<std::vector<BigCount::Wide>> choose(131, std::vector<BigCount::Wide>(131, 0));
  for (std::size_t n = 0; n <= 130; ++n) {
    choose[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) choose[n][k] = choose[n - 1][k - 1] + (k < n ? choose[n - 1][k] : 0);
  }
  for (std::size_t D = 1; D <= 65; ++D)
    for (std::size_t t = 0; t <= 64; ++t)  // up to C(128, 64) = 2.4e37: every one has its digits
      ASSERT_EQ(monomials(D, int(t)).digits(), BigCount::from(choose[D + t - 1][t]).digits())
          << D << " " << t;
  // C(130, 65), by Pascal too.
  EXPECT_EQ(*monomials(131 - 65, 65).digits(), "95067625827960698145584333020095113100");
  EXPECT_EQ(*BigCount::from(choose[130][65]).digits(), "95067625827960698145584333020095113100");
}

TEST(Monomials, AreCountedByBruteForce) {
  for (int D = 1; D <= 5; ++D)
    for (int t = 0; t <= 6; ++t) {
      std::size_t count = 0;
      std::vector<int> e(std::size_t(D), 0);  // all exponents from 0 to t, odometer fashion
      for (bool more = true; more;) {
        int sum = 0;
        for (const int value : e) sum += value;
        count += sum == t;
        std::size_t k = 0;
        while (k < e.size() && ++e[k] > t) e[k++] = 0;
        more = k < e.size();
      }
      EXPECT_EQ(*monomials(std::size_t(D), t).small(), count) << D << " " << t;
    }
  EXPECT_EQ(*monomials(0, 0).digits(), "1");
  EXPECT_EQ(*monomials(0, 3).digits(), "0");
}

TEST(Monomials, HaveTheirLogarithmWhereTheDigitsEnd) {
  for (const auto& [D, t] : {std::pair{784, 1000}, {1000000, 40}, {2, 1000}, {70, 70}, {100000, 1000}}) {
    const double expected =
        (std::lgamma(double(D + t)) - std::lgamma(double(t + 1)) - std::lgamma(double(D))) / std::log(10);
    EXPECT_NEAR(monomials(std::size_t(D), t).log10(), expected, 1e-9 * expected) << D << " " << t;
  }
  EXPECT_FALSE(monomials(784, 1000).digits());
  EXPECT_EQ(*monomials(2, 1000).digits(), "1001");
  // Of a number that is known by its logarithm alone: D²/2 for D = 10²⁰⁰.
  EXPECT_NEAR(monomials(BigCount::approximate(200), 2).log10(), 400 - std::log10(2), 1e-9);
  EXPECT_NEAR(monomials(BigCount::approximate(500), 2).log10(), 1000 - std::log10(2), 1e-9);
}

}  // namespace
}  // namespace mercer
