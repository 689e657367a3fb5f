#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "mercer/catalogue.hpp"

namespace mercer {
namespace {

KernelInfo info(const std::string& name) {
  for (const KernelInfo& entry : kernel_catalogue())
    if (entry.name == name) return entry;
  ADD_FAILURE() << name << " is not described";
  return {};
}

TEST(KernelCatalogue, HoldsEverythingLeavesFirst) {
  const auto all = kernel_catalogue();
  EXPECT_EQ(all.size(),
            leaves().size() + combinators().size() + point_maps().size() + point_functions().size());
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &KernelInfo::kind));
  for (const KernelInfo& entry : all) EXPECT_FALSE(entry.name.empty() || entry.formula.empty());
}

TEST(KernelCatalogue, GivesEveryParameterItsDefaultAndRange) {
  const KernelInfo poly = info("poly");
  EXPECT_EQ(poly.kind, KernelInfo::Kind::leaf);
  ASSERT_EQ(poly.parameters.size(), 3u);
  EXPECT_EQ(poly.parameters[0].name, "degree");
  EXPECT_EQ(poly.parameters[0].standard, "3");
  EXPECT_EQ(poly.parameters[0].range, "a whole number from 1 to 1000");
  EXPECT_EQ(poly.parameters[2].range, "≥ 0");
  EXPECT_EQ(info("quadratic_form").parameters.at(0).standard, "") << "it must be given";
}

TEST(KernelCatalogue, SaysWhichWidthHasADefaultAndWhichStandsInstead) {
  const auto rbf = info("rbf").parameters;
  ASSERT_EQ(rbf.size(), 2u);
  EXPECT_EQ(rbf[0].standard, "scale");
  EXPECT_EQ(rbf[0].range, "> 0, scale, auto or median");
  EXPECT_EQ(rbf[1].standard, "");
  EXPECT_EQ(rbf[1].range, "> 0, scale, auto or median");
  EXPECT_TRUE(rbf[1].instead);
  EXPECT_FALSE(rbf[0].instead);
  const auto matern = info("matern").parameters;
  EXPECT_EQ(matern.at(0).standard, "1.5");
  EXPECT_EQ(matern.at(1).standard, "scale");
  EXPECT_FALSE(matern.at(1).instead);
}

TEST(KernelCatalogue, KnowsPropertiesAndExplicitMaps) {
  EXPECT_TRUE(info("rbf").properties.radial);
  EXPECT_FALSE(info("sigmoid").properties.psd);
  for (const char* name : {"linear", "poly", "quadratic_form", "constant", "rbf", "exponential", "periodic"})
    EXPECT_TRUE(info(name).explicit_map) << name;
  for (const char* name : {"laplace", "delta", "sigmoid", "exp"})
    EXPECT_FALSE(info(name).explicit_map) << name;
}

TEST(KernelCatalogue, DescribesRulesMapsAndFunctions) {
  const KernelInfo mapped = info("mapped");
  EXPECT_EQ(mapped.kind, KernelInfo::Kind::rule);
  EXPECT_EQ(mapped.parameters.at(0).standard, "");
  EXPECT_EQ(mapped.parameters.at(1).standard, "3");
  EXPECT_EQ(info("powers").kind, KernelInfo::Kind::map);
  EXPECT_EQ(info("powers").parameters.at(0).standard, "3");
  EXPECT_EQ(info("powers").parameters.at(0).range, "a whole number from 1 to 1000");
  EXPECT_EQ(info("exp_norm").kind, KernelInfo::Kind::function);
  EXPECT_EQ(info("exp_norm").parameters.at(0).range, "> 0");
  EXPECT_TRUE(info("unit").parameters.empty());
}

TEST(DescribeExpression, SaysWhatIsKnownWithoutData) {
  using Map = ExpressionInfo::Map;
  const auto known = [](const char* text) { return describe(Kernel::parse(text)); };
  const ExpressionInfo sum = known("0.5*rbf(gamma=1) + linear");
  ASSERT_EQ(sum.named.size(), 2u);
  EXPECT_EQ(sum.named[0].name, "rbf");
  EXPECT_EQ(sum.named[1].formula, "xᵀz");
  EXPECT_TRUE(sum.proof.psd && sum.properties.psd && !sum.spectral_density);
  EXPECT_EQ(sum.map, Map::truncated);
  EXPECT_EQ(known("poly(degree=2)*linear + 1").map, Map::exact);
  EXPECT_EQ(known("linear - rbf(gamma=1)").map, Map::none) << "no real features";
  EXPECT_EQ(known("laplace(lambda=1)").map, Map::none);
  EXPECT_TRUE(known("laplace(lambda=scale)*rbf(gamma=median)").spectral_density);
  EXPECT_FALSE(known("periodic").spectral_density);
  EXPECT_EQ(known("distance").properties.conditional_order, 1);
}

TEST(DescribeExpression, NamesRulesButNotWhatOnlyBeginsLikeThem) {
  const auto names = [](const char* text) {
    std::vector<std::string> all;
    for (const KernelInfo& info : describe(Kernel::parse(text)).named) all.push_back(info.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("exp(linear)^2"), (Names{"exp", "linear"}));
  EXPECT_EQ(names("normalize(linear)@a + exp(linear)"), (Names{"normalize", "linear", "exp"}));
  EXPECT_EQ(names("mkl(rbf, center(linear))"), (Names{"mkl", "rbf", "center", "linear"}));
  EXPECT_EQ(names("linear@exp"), Names{"linear"});
}

}  // namespace
}  // namespace mercer
