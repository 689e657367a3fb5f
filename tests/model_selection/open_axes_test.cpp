#include "model_selection/open_axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mercer/kernel_parameters.hpp"
#include "mercer/methods.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

const Points points = as_points(random_rows(30, 4, 1));

double number(const Kernel& kernel, const std::string& name) {
  for (const KernelParameter& parameter : numeric_parameters(kernel))
    if (parameter.name == name) return parameter.value;
  ADD_FAILURE() << "no number " << name << " in " << kernel.text();
  return 0;
}

TEST(OpenAxes, FollowTheLengthThatAWordStandsFor) {
  const std::vector<double> multiples{0.5, 1, 4};
  for (const auto& [text, name, power] : {std::tuple{"rbf(gamma=scale)", "gamma", -2.0},
                                          {"rbf(sigma=median)", "sigma", 1.0},
                                          {"laplace(lambda=median)", "lambda", -1.0},
                                          {"matern(nu=2.5, length=scale)", "length", 1.0}}) {
    const Kernel kernel = Kernel::parse(text);
    const std::vector<GridAxis> axes = open_axes(kernel, *AnyMethod(Svr{}), points, multiples);
    ASSERT_EQ(axes.size(), 1u) << text;
    EXPECT_EQ(axes[0].parameter, name);
    const double value = number(kernel.resolve(points), name);
    std::vector<double> wanted;
    for (const double multiple : multiples) wanted.push_back(value * std::pow(multiple, power));
    std::ranges::sort(wanted);
    ASSERT_EQ(axes[0].values.size(), 3u);
    for (std::size_t v = 0; v < 3; ++v) EXPECT_NEAR(axes[0].values[v], wanted[v], 1e-12 * wanted[v]) << text;
  }
}

TEST(OpenAxes, OfAnExpressionAreNamedAsItsNumbersAre) {
  const Kernel kernel = Kernel::parse(
      "3*rbf(gamma=0.5) + 2*rbf(gamma=scale)*scaled(matern(length=median), by=[1, 2, 0, 1]) + "
      "poly(degree=2)");
  const std::vector<GridAxis> axes = open_axes(kernel, *AnyMethod(Svr{}), points, std::vector{1.0});
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].parameter, "rbf[2].gamma");
  EXPECT_EQ(axes[1].parameter, "length");
  const Kernel resolved = kernel.resolve(points);
  EXPECT_EQ(axes[0].values, std::vector{number(resolved, "rbf[2].gamma")});
  EXPECT_EQ(axes[1].values, std::vector{number(resolved, "length")});
}

TEST(OpenAxes, AreNamedWithTheLeafWhereTheMethodHasThatName) {
  using Names = std::vector<std::string>;
  const AnyMethod ridge(Ridge{}), svr(Svr{});
  EXPECT_EQ(axis_names(Kernel::parse("manhattan(lambda=2)"), *ridge), Names{"manhattan.lambda"});
  EXPECT_EQ(axis_names(Kernel::parse("manhattan(lambda=2)"), *svr), Names{"lambda"});
  EXPECT_EQ(axis_names(Kernel::parse("2*manhattan + laplace(lambda=1)*rbf(gamma=1)"), *ridge),
            (Names{"factor", "manhattan.lambda", "laplace.lambda", "gamma"}));
  EXPECT_EQ(axis_names(Kernel::parse("manhattan@1 + manhattan@2"), *ridge),
            (Names{"manhattan[1].lambda", "manhattan[2].lambda"}));
  EXPECT_TRUE(axis_names(Kernel::parse("linear"), *ridge).empty());
  EXPECT_EQ(open_axes(Kernel::parse("laplace"), *ridge, points, std::vector{1.0})[0].parameter,
            "laplace.lambda");
}

TEST(OpenAxes, OfNumbersAreNone) {
  for (const char* text : {"rbf(gamma=1)", "linear", "2*poly(degree=2) + manhattan"})
    EXPECT_TRUE(open_axes(Kernel::parse(text), *AnyMethod(Ridge{}), points, std::vector{1.0, 2.0}).empty())
        << text;
}

}  // namespace
}  // namespace mercer
