#include "plot/kernel_plane.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/one_class.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "mercer/model_pictures.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(ComponentsPicture, ClassesHaveALegendAndNumbersABar) {
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const std::string classes = components_picture(kernel, generate("blobs", {.n = 40}));
  EXPECT_TRUE(well_formed(classes));
  EXPECT_EQ(count(classes, ">y = 2<"), 1u);
  EXPECT_EQ(count(classes, ">Principal components · rbf(gamma=0.5)</text>"), 1u);
  const std::string values = components_picture(kernel, generate("friedman1", {.n = 40}), {.title = "ours"});
  EXPECT_TRUE(well_formed(values));
  EXPECT_EQ(count(values, ">y</text>"), 1u);
  EXPECT_EQ(count(values, ">ours</text>"), 1u);
  Dataset bare = generate("blobs", {.n = 40});
  bare.target = {};
  EXPECT_EQ(
      path_points(components_picture(kernel, bare), "<path class=\"s0\" fill=\"none\" stroke-width=\"6\"")
          .size(),
      40u);
}

// Of the linear kernel the first component of points along a diagonal is the place on it, in order.
TEST(ComponentsPicture, PointsLieAtTheirCoordinates) {
  const Dataset data{.points = Points({{0, 0}, {1, 1}, {3, 3}})};
  const std::string svg = components_picture(Kernel::parse("linear"), data);
  const auto places = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 3u);
  EXPECT_NEAR((places[2].x - places[1].x) / (places[1].x - places[0].x), 2, 0.02);
  EXPECT_EQ(places[0].y, places[2].y);
  EXPECT_EQ(count(svg, ">component 2 (0.0 % of the variance)<"), 1u);
}

TEST(ComponentsPicture, SaysHowManyRowsItIsMadeOf) {
  const std::string svg = components_picture(Kernel::parse("rbf(gamma=1)"), generate("moons", {.n = 4100}));
  EXPECT_EQ(count(svg, ">4000 of 4100 rows are drawn, chosen at random<"), 1u);
  EXPECT_EQ(count(svg, ">the components are those of 2000 rows<"), 1u);
  EXPECT_LT(svg.size(), 300000u);
}

const RegionsOptions components{.projection = Projection::components};

TEST(ComponentRegions, CrossesTheRowsThatTheModelGivesAnotherClass) {
  const Dataset moons = generate("moons", {.n = 120, .noise = 0.35});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {}, Scaling::Kind::standard);
  const Predictions p = model.predict(moons.points);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < moons.rows(); ++i) wrong += p.codes[i] != moons.target.codes[i];
  ASSERT_GT(wrong, 0u);
  const std::string svg = regions_picture(model, moons, components);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">the model gives another class (" + std::to_string(wrong) + ")<"), 1u);
  EXPECT_EQ(count(svg, ">support vector (" + std::to_string(model.fitted.report.support_vectors) + ")<"), 1u);
  EXPECT_EQ(
      count(svg, ">no row lies between the rows, so there is nothing to predict: the plane has no regions<"),
      1u);
  EXPECT_EQ(count(svg, "% of the variance)</text>"), 2u);
}

TEST(ComponentRegions, NumbersAndNoveltyAreColouredByTheAnswer) {
  const Dataset data = generate("friedman1", {.n = 50});
  EXPECT_EQ(count(regions_picture(fit(Ridge{}, Kernel::parse("rbf(gamma=0.1)"), data), data, components),
                  ">the model&#39;s prediction<"),
            1u);
  EXPECT_EQ(count(regions_picture(fit(OneClass{}, Kernel::parse("rbf(gamma=0.1)"), data), data, components),
                  ">outside<"),
            1u);
}

TEST(ComponentRegions, HaveNoColumns) {
  const Dataset moons = generate("moons", {.n = 20});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons);
  EXPECT_NE(
      refusal(
          ErrorKind::usage,
          [&] { component_regions(model, moons, {.projection = Projection::components, .columns = {"x1"}}); })
          .find("leave the columns out"),
      std::string::npos);
}

TEST(KernelPlane, OfTheLinearKernelIsThatOfTheLargestVariance) {
  // Variances 8, 2 and 0 along the axes, by hand.
  const Points points({{4, 0, 1}, {-4, 0, 1}, {0, 2, 1}, {0, -2, 1}});
  const KernelPlane plane = kernel_plane(Kernel::parse("linear"), points);
  const auto at = plane.of_points(points, 1);
  EXPECT_NEAR(std::abs(at.x[0]), 4, 1e-6);
  EXPECT_NEAR(at.x[0] + at.x[1], 0, 1e-6);
  EXPECT_NEAR(at.x[2], 0, 1e-6);
  EXPECT_NEAR(std::abs(at.y[2]), 2, 1e-6);
  EXPECT_EQ(plane.label(1), "component 1 (80.0 % of the variance)");
  EXPECT_EQ(plane.label(2), "component 2 (20.0 % of the variance)");
}

TEST(KernelPlane, RowsInALineHaveOneComponent) {
  const Points points({{0, 0}, {1, 1}, {2, 2}, {4, 4}});
  const KernelPlane plane = kernel_plane(Kernel::parse("linear"), points);
  const auto at = plane.of_points(points, 1);
  EXPECT_EQ(at.y, std::vector<double>(4, 0));
  EXPECT_EQ(plane.label(1), "component 1 (100.0 % of the variance)");
  EXPECT_EQ(plane.label(2), "component 2 (0.0 % of the variance)");
  EXPECT_EQ(kernel_plane(Kernel::parse("rbf(gamma=1)"), Points({{0, 0}, {1, 1}})).of_points(points, 1).y,
            std::vector<double>(4, 0));
}

TEST(KernelPlane, RefusesTooFewRowsAndRowsThatAreTheSame) {
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      kernel_plane(kernel, Points(std::vector<std::vector<double>>{{1, 2}}));
                    }),
            "components need at least two rows, and there is 1");
  EXPECT_NE(refusal(ErrorKind::data,
                    [&] {
                      kernel_plane(kernel, Points({{1, 2}, {1, 2}, {1, 2}}));
                    })
                .find("span only 0 dimensions"),
            std::string::npos);
}

TEST(KernelPlane, TakesASampleOfManyRows) {
  const KernelPlane plane =
      kernel_plane(Kernel::parse("rbf(gamma=1)"), generate("moons", {.n = 2100}).points);
  EXPECT_EQ(plane.rows, 2000u);
  EXPECT_EQ(plane.of, 2100u);
}

}  // namespace
}  // namespace mercer
