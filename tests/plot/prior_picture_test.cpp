#include "mercer/prior_picture.hpp"

#include <cmath>

#include "base/refusal.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

// The mean of f(x)f(z) over many draws is k(x, z).
TEST(DrawPrior, HasTheKernelAsItsCovariance) {
  const std::vector<double> x{-1, 0, 0.3, 2};
  constexpr std::size_t at_once = 100, rounds = 200;
  double mean[4][4] = {};
  for (std::size_t round = 0; round < rounds; ++round)
    for (const auto& f : draw_prior(Kernel::parse("2*rbf(gamma=0.5) + linear"), x, at_once, round + 1))
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) mean[i][j] += f[i] * f[j] / double(at_once * rounds);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(mean[i][j], 2 * std::exp(-0.5 * std::pow(x[i] - x[j], 2)) + x[i] * x[j], 0.25);
}

TEST(DrawPrior, FollowsTheSeed) {
  const std::vector<double> x{0, 1, 2};
  const Kernel k = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(draw_prior(k, x, 2, 7), draw_prior(k, x, 2, 7));
  EXPECT_NE(draw_prior(k, x, 2, 7), draw_prior(k, x, 2, 8));
}

TEST(PriorPicture, ShowsFunctionsAndTheDensity) {
  const std::string svg = prior_picture(Kernel::parse("matern(nu=1.5, length=1)"), {.samples = 3});
  EXPECT_NE(svg.find("matern(nu=1.5, length=1)"), std::string::npos);
  EXPECT_NE(svg.find("3 functions drawn"), std::string::npos);
  EXPECT_NE(svg.find("Spectral density"), std::string::npos);
  EXPECT_EQ(prior_picture(Kernel::parse("linear")).find("Spectral density"), std::string::npos);
  EXPECT_EQ(prior_picture(Kernel::parse("delta")).find("Spectral density"), std::string::npos);
}

TEST(PriorPicture, RefusesWhatCannotBeDrawn) {
  const auto said = [](const char* text, const PriorPicture& options = {}) {
    return refusal(ErrorKind::usage, [&] { prior_picture(Kernel::parse(text), options); });
  };
  EXPECT_NE(said("distance").find("center(distance(beta=1)) is one"), std::string::npos);
  EXPECT_NE(said("sigmoid").find("sigmoid is not positive semidefinite in general"), std::string::npos);
  EXPECT_NE(said("rbf(gamma=1)", {.low = 2, .high = 2}).find("from 2 to 2"), std::string::npos);
  EXPECT_NE(said("rbf(gamma=1)", {.samples = 0}).find("from 1 to 100"), std::string::npos);
}

}  // namespace
}  // namespace mercer
