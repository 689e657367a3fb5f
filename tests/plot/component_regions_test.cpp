#include "plot/component_regions.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/one_class.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "svg_text.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer
