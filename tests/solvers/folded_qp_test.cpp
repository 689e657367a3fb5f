// One variable with a kink in place of two: the same problem, solution and certificate.
#include "solvers/folded_qp.hpp"

#include <gtest/gtest.h>

#include "solvers/box_problems.hpp"

namespace mercer {
namespace {

/// Every certificate of the folded problem is that of the two variables.
void expect_same_certificates(const BoxQp& original, std::size_t points, std::uint64_t seed) {
  const auto folded = FoldedQp::of(original);
  ASSERT_TRUE(folded);
  const BoxQp& problem = folded->problem();
  ASSERT_EQ(2 * problem.size(), original.size());
  Random random(seed);
  const auto K = random_psd(points, seed);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> beta;
    for (std::size_t v = 0; v < problem.size(); ++v) switch (random.below(4)) {
        case 0:
          beta.push_back(problem.lower[v]);
          break;
        case 1:
          beta.push_back(problem.upper[v]);
          break;
        case 2:
          beta.push_back(0);
          break;
        default:
          beta.push_back(random.uniform(problem.lower[v], problem.upper[v]));
      }
    const auto both = folded->unfold(beta);
    const auto f = products(original, K, both);
    const auto own = products(problem, K, beta);
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(own[i], f[i], 1e-13 * (1 + std::abs(f[i])));
    const Certificate expected = certify(original, both, f), found = certify(problem, beta, f);
    EXPECT_NEAR(found.objective, expected.objective, 1e-12 * (1 + std::abs(expected.objective)));
    EXPECT_NEAR(found.violation, expected.violation, 1e-12);
    EXPECT_NEAR(found.rho[0], expected.rho[0], 1e-12);
    EXPECT_NEAR(found.gap, expected.gap, 1e-12 * (1 + expected.gap));
  }
}

TEST(FoldedQp, HasTheCertificatesOfBothVariables) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    std::vector<double> z(1 + random.below(12));
    for (double& value : z) value = random.normal();
    expect_same_certificates(epsilon_svr(z, 2, 0.3), z.size(), seed);
    expect_same_certificates(epsilon_svr(z, 2, 0), z.size(), seed);
    BoxQp shared = epsilon_svr(z, 2, 0.1);  // several targets of one point
    for (auto& point : shared.points) point /= 2;
    expect_same_certificates(shared, z.size(), seed);
  }
}

TEST(FoldedQp, AddsUpStarts) {
  BoxQp problem = epsilon_svr({1, 2}, 3, 0.1);
  problem.start = {2, 0, -0.5, -1.5};
  EXPECT_EQ(FoldedQp::of(problem)->problem().start, (std::vector<double>{1.5, -1.5}));
}

TEST(FoldedQp, LeavesOtherProblemsAlone) {
  EXPECT_FALSE(FoldedQp::of({}));
  EXPECT_FALSE(FoldedQp::of(c_svc({1, -1, 1, -1}, {1, 1, 1, 1})));
  EXPECT_FALSE(FoldedQp::of(one_class(4, 0.5)));
  EXPECT_FALSE(FoldedQp::of(nu_svc({1, -1, 1, -1}, 0.5)));
  EXPECT_FALSE(FoldedQp::of(epsilon_svr({1, 2}, 3, -0.1)));  // s⁻ above s⁺: both would be used
  BoxQp wide;
  add_variable(wide, 0, 1, -1, 1);
  add_variable(wide, 0, 1, -1, 1);
  EXPECT_FALSE(FoldedQp::of(wide));
}

}  // namespace
}  // namespace mercer
