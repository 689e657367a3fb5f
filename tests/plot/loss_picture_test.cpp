#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

/// The curve of a colour in the first panel of a picture, in the units of its axes: −3 to 3 and 0 to 4.
std::vector<Place> loss_curve(const std::string& svg, int colour) {
  const Frame f = frame_in(svg);
  std::vector<Place> points = path_points(svg, "<path class=\"s" + std::to_string(colour) + "\"");
  for (Place& p : points) p = {-3 + 6 * (p.x - f.x) / f.width, 4 * (1 - (p.y - f.y) / f.height)};
  return points;
}

TEST(LossPicture, CurvesAreTheFormulas) {
  const std::string svg =
      loss_picture({loss_named("hinge"), loss_named("squared_hinge"), loss_named("logistic"),
                    loss_named("exponential"), loss_named("multinomial")});
  const double precision = 0.02;
  for (const Place& p : loss_curve(svg, 0)) EXPECT_NEAR(p.y, std::max(0.0, 1 - p.x), precision);
  for (const Place& p : loss_curve(svg, 1))
    EXPECT_NEAR(p.y, std::pow(std::max(0.0, 1 - p.x), 2), 2 * precision);
  for (const Place& p : loss_curve(svg, 2)) EXPECT_NEAR(p.y, std::log1p(std::exp(-p.x)), precision);
  for (const Place& p : loss_curve(svg, 3)) EXPECT_NEAR(p.y, std::exp(-p.x), 2 * precision);
  for (const Place& p : loss_curve(svg, 4)) EXPECT_NEAR(p.y, std::log1p(std::exp(-p.x)), precision);
  EXPECT_NEAR(loss_curve(svg, 0).front().x, -3, precision);
  EXPECT_NEAR(loss_curve(svg, 1).front().x, -1, precision);  // where it is 4
  EXPECT_GT(loss_curve(svg, 1).size(), 20u);
}

TEST(LossPicture, ResidualsAreTruthMinusAnswer) {
  const std::string svg = loss_picture({loss_named("squared"), loss_named("pinball")});
  AnyLoss pinball = loss_named("pinball");
  for (const Place& p : loss_curve(svg, 0)) EXPECT_NEAR(p.y, p.x * p.x, 0.05);
  pinball->set("tau", 0.9);
  const std::string steep = loss_picture({pinball});
  for (const Place& p : loss_curve(steep, 0)) EXPECT_NEAR(p.y, p.x > 0 ? 0.9 * p.x : -0.1 * p.x, 0.02);
  EXPECT_NE(steep.find(">pinball, tau = 0.9</text>"), std::string::npos);
}

TEST(LossPicture, EachKindHasItsPanel) {
  const std::string svg = loss_picture(losses());
  EXPECT_TRUE(well_formed(svg));
  for (const char* axis : {">margin y·f<", ">residual y − f<", ">prediction f<"})
    EXPECT_EQ(count(svg, axis), 1u) << axis;
  for (const AnyLoss& loss : losses())
    EXPECT_GE(count(svg, ">" + std::string(loss->name())), 1u) << loss->name();
  EXPECT_EQ(count(loss_picture({loss_named("poisson")}), "class=\"title\""), 1u);
  EXPECT_LT(svg.size(), 300'000u);
}

TEST(LossPicture, NeedsALoss) { EXPECT_THROW(loss_picture({}), Error); }

}  // namespace
}  // namespace mercer
