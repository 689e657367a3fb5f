#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Scaled, PrintsItsWeightsSoThatTheyParse) {
  EXPECT_EQ(scaled(linear(), {1, 0.5, -2}).text(), "scaled(linear, by=[1, 0.5, -2])");
  EXPECT_EQ(Kernel::parse("scaled(rbf(gamma=1) + linear, by=[0.1, 1e-300])").text(),
            "scaled(rbf(gamma=1) + linear, by=[0.1, 1e-300])");
}

TEST(Scaled, KeepsEverythingButTheRadius) {
  const Properties p = scaled(2 * rbf({.gamma = 1}), {1, 2}).properties();
  EXPECT_TRUE(p.psd && p.translation_invariant);
  EXPECT_FALSE(p.radial);
  EXPECT_EQ(p.bound, 2);
  EXPECT_EQ(p.diagonal, 2);
  EXPECT_TRUE(scaled(rbf({.gamma = 1}), {3, -3}).properties().radial);
}

TEST(Scaled, IsValidWhereItsKernelIs) {
  EXPECT_EQ(scaled(linear(), {1}).prove().because, "a valid kernel of scaled points");
  EXPECT_EQ(scaled(sigmoid(), {1}).prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Scaled, ShowsItsPartTheScaledPointsWithTheirNamesSparseOrDense) {
  const Kernel k = scaled(linear(), {2, 0, -1});
  Dense<float> dense{2, 3, Buffer<float>(6, 3.0f)};
  const Points points(std::move(dense), {"a", "b", "c"});
  const Points inside = k.node().points_inside(points), sparse = k.node().points_inside(points.to_sparse());
  EXPECT_EQ(inside.row(1), (std::vector<double>{6, 0, -3}));
  EXPECT_EQ(inside.names(), points.names());
  EXPECT_TRUE(sparse.sparse());
  EXPECT_EQ(sparse.row(1), inside.row(1));
}

TEST(Scaled, HasItsWeightsAmongTheNumbers) {
  const Kernel k = Kernel::parse("2*scaled(rbf(gamma=3), by=[1, 0.5, -2])");
  const auto parameters = numeric_parameters(k);
  ASSERT_EQ(parameters.size(), 5u);
  EXPECT_EQ(parameters[1].name, "gamma");
  EXPECT_EQ(parameters[2].name, "by[1]");
  EXPECT_EQ(parameters[4].name, "by[3]");
  EXPECT_EQ(parameters[4].value, -2);
  EXPECT_FALSE(parameters[3].interval.contains(0));
  EXPECT_TRUE(parameters[4].interval.contains(0));
  EXPECT_EQ(with_parameters(k, std::vector<double>{9, 8, 7, 6, 5}).text(),
            "9*scaled(rbf(gamma=8), by=[7, 6, 5])");
}

TEST(Scaled, ResolvesItsPartOnTheScaledPoints) {
  const Points x({{1, 5}, {2, -3}, {4, 7}});
  const Kernel k = scaled(rbf(), {3, 0});
  EXPECT_EQ(k.resolve(x).text(),
            "scaled(" + rbf().resolve(Points({{3, 0}, {6, 0}, {12, 0}})).text() + ", by=[3, 0])");
}

TEST(Scaled, MultipliesTheFrequencies) {
  const auto terms = scaled(scaled(2 * laplace({.lambda = 3}) + 1 * constant({.c = 4}), {2, 5}), {10, 100})
                         .node()
                         .spectrum();
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].weight, 2);
  EXPECT_EQ(terms[0].factors.at(0).by, (std::vector<double>{20, 500}));
  EXPECT_EQ(terms[1].weight, 4);
  EXPECT_TRUE(terms[1].factors.empty());
}

TEST(Scaled, Refuses) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { scaled(linear(), {}); }),
            "by must list one weight for each column, e.g. by=[1, 0.5]");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [] {
                      scaled(linear(), {1, 1. / 0.});
                    }),
            "weight 2 of by must be a finite number");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [] {
                      scaled(linear(), {1, 2}).node().points_inside(Points({{1, 2, 3}}));
                    }),
            "scaled: by has 2 weights but the points have 3 columns; one for each is needed");
  const auto parse = [](const char* text) { return refusal(ErrorKind::usage, [&] { Kernel::parse(text); }); };
  EXPECT_EQ(parse("scaled(linear, by=norm)").find("by must be a list of numbers, not norm"), 0u);
  EXPECT_EQ(parse("scaled(linear)").find("scaled needs by=…: one weight for each column"), 0u);
}

}  // namespace
}  // namespace mercer
