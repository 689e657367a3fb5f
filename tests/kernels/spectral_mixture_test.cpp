#include "mercer/kernels/spectral_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {
namespace {

TEST(SpectralMixture, IsReadAndPrinted) {
  for (const char* text : {"spectral_mixture(weights=[1], means=[1], variances=[1])",
                           "spectral_mixture(weights=[1, 0.5], means=[0.5, 2], variances=[0.25, 0.125])",
                           "spectral_mixture(weights=[3], means=[[0.5, -2]], variances=[[0.25, 0.1]])"})
    EXPECT_EQ(Kernel::parse(text).text(), text);
  EXPECT_EQ(spectral_mixture({.weights = {2}, .means = {{{1}}}, .variances = {{{3}}}}).text(),
            "spectral_mixture(weights=[2], means=[1], variances=[3])");
}

TEST(SpectralMixture, KnowsItsProperties) {
  const Properties p =
      Kernel::parse("spectral_mixture(weights=[1, 0.5], means=[1, 2], variances=[1, 1])").properties();
  EXPECT_TRUE(p.psd && p.translation_invariant && !p.radial);
  EXPECT_EQ(p.bound, 1.5);
  EXPECT_EQ(p.diagonal, 1.5);
}

TEST(SpectralMixture, HasNumbersThatMayBeChanged) {
  const Kernel k = Kernel::parse(
      "2*spectral_mixture(weights=[1, 0.5], means=[[3, 4], [5, 6]], variances=[[7, 8], [9, 10]])");
  std::vector<std::string> names;
  std::vector<double> values;
  for (const KernelParameter& p : numeric_parameters(k)) names.push_back(p.name), values.push_back(p.value);
  EXPECT_EQ(names, (std::vector<std::string>{"factor", "weights[1]", "weights[2]", "means[1]", "means[2]",
                                             "means[3]", "means[4]", "variances[1]", "variances[2]",
                                             "variances[3]", "variances[4]"}));
  EXPECT_EQ(values, (std::vector<double>{2, 1, 0.5, 3, 4, 5, 6, 7, 8, 9, 10}));
  for (double& value : values) value += 1;
  EXPECT_EQ(with_parameters(k, values).text(),
            "3*spectral_mixture(weights=[2, 1.5], means=[[4, 5], [6, 7]], variances=[[8, 9], [10, 11]])");
  values[1] = -1;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { with_parameters(k, values); }), "weights[1] must be > 0, not -1");
}

TEST(SpectralMixture, HasTheFrequenciesOfItsComponents) {
  const auto terms = Kernel::parse("spectral_mixture(weights=[1, 0.5], means=[0.25, 2], variances=[4, 9])")
                         .node()
                         .spectrum();
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[1].weight, 0.5);
  ASSERT_EQ(terms[1].factors.size(), 2u);
  const double two_pi = 2 * std::acos(-1);
  EXPECT_NEAR(terms[1].factors[0].spectral.at.at(0), two_pi * 2, 1e-12);
  EXPECT_NEAR(terms[1].factors[1].by.at(0), two_pi * 3, 1e-12);
  EXPECT_NEAR(terms[1].factors[1].spectral.scale, 1, 1e-12);
}

TEST(SpectralMixture, RefusesListsThatDoNotFitTogether) {
  const auto said = [](const std::string& arguments) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse("spectral_mixture(" + arguments + ")"); });
  };
  EXPECT_NE(said("weights=[1, 2]").find("means has 1 and weights has 2"), std::string::npos);
  EXPECT_NE(said("weights=[1, 2], means=[1, 2]").find("variances has 1 and weights has 2"),
            std::string::npos);
  EXPECT_NE(said("means=[[1, 2]]").find("component 1 has 1 in variances where the first has 2 in means"),
            std::string::npos);
  EXPECT_NE(said("weights=[]").find("weights"), std::string::npos);
  EXPECT_NE(said("weights=[-1]").find("weights must be > 0, not -1"), std::string::npos);
  EXPECT_NE(said("variances=[0]").find("variances must be > 0, not 0"), std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [] {
                      const Points points({{1, 2, 3}, {4, 5, 6}});
                      std::vector<double> K(4);
                      KernelOperator<double>(spectral_mixture(), points).matrix(K);
                    })
                .find("spectral_mixture: each component has 1 number in means and variances but the points "
                      "have 3 columns"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
