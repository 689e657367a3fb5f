#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/recursive_ridge.hpp"
#include "mercer/methods/sparse_gp.hpp"
#include "mercer/methods/gp.hpp"
#include "mercer/methods/ols.hpp"
#include "mercer/methods/quantile.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "mercer/methods/svr.hpp"
#include "mercer/model_pictures.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

const std::string curve = "<path class=\"s0\" fill=\"none\" stroke-width=\"2.2\"";

std::string picture(const Model& model, const Dataset& data, const CurveOptions& options = {}) {
  return curve_picture({&model, 1}, data, options);
}

Dataset numbers(const std::vector<std::vector<double>>& rows, std::vector<double> values) {
  return {.points = Points(rows),
          .target = {.task = Task::regression, .name = "y", .values = std::move(values)}};
}

// y = 2x: the axes leave 4 % free at the ends, the upright one beyond the ends of the curve.
TEST(CurvePicture, ALineRunsThroughItsPoints) {
  const Dataset data = numbers({{0}, {1}, {2}, {4}}, {0, 2, 4, 8});
  const std::string svg = picture(fit(Ridge{.lambda = 1e-10}, Kernel::parse("linear"), data), data);
  ASSERT_TRUE(well_formed(svg));
  const Frame frame = frame_in(svg);
  const auto places = path_points(svg, curve);
  ASSERT_GE(places.size(), 2u);
  for (const Place& place : places)
    EXPECT_NEAR(((place.x - frame.x) / frame.width + 0.04) / 1.08, 1 - (place.y - frame.y) / frame.height,
                0.002);
  EXPECT_NEAR(places.front().x, frame.x, 0.1);
  EXPECT_NEAR(places.back().x, frame.x + frame.width, 0.1);
  EXPECT_EQ(path_points(svg, "<path class=\"sm\" fill=\"none\"").size(), 4u);
}

// The height of the area at the left end against the variance that the model itself gives there.
TEST(CurvePicture, TheBandsOfAGaussianProcessAreTwoDeviationsWide) {
  const Dataset data = generate("sine", {.n = 25});
  const Model model =
      fit(Gp{.noise = 0.1, .optimize = Gp::Optimize::none}, Kernel::parse("rbf(gamma=1)"), data);
  const std::string svg = picture(model, data);
  EXPECT_EQ(count(svg, ">± 2σ of an observation<"), 1u);
  EXPECT_EQ(count(svg, ">± 2σ of the function<"), 1u);
  const Frame frame = frame_in(svg);
  double low = 1e9, high = -1e9;
  for (std::size_t i = 0; i < data.rows(); ++i)
    low = std::min(low, data.points.row(i)[0]), high = std::max(high, data.points.row(i)[0]);
  const double left = low - 0.04 * (high - low),
               variance = model.variances(Points(std::vector<std::vector<double>>{{left}}))[0];
  const auto height = [&](const std::string& beginning, std::size_t from) {
    const auto places = path_points(svg.substr(from), beginning);
    return std::abs(places.front().y - places.back().y) / frame.height;
  };
  const std::string area = "<path class=\"f0\"";
  const std::size_t first = svg.find(area), second = svg.find(area, first + 1);
  EXPECT_NEAR(height(area, first) / height(area, second), std::sqrt((variance + 0.1) / variance), 0.02);
}

TEST(CurvePicture, QuantilesHaveABandBetweenTheOutermost) {
  const Dataset data = generate("sine", {.n = 40});
  std::vector<Model> models;
  for (const double tau : {0.5, 0.9, 0.1})
    models.push_back(fit(Quantile{.tau = tau}, Kernel::parse("rbf(gamma=1)"), data));
  const std::string svg = curve_picture(models, data);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">between quantiles: 80 % of the targets<"), 1u);
  for (const char* label : {">quantile 0.1<", ">quantile 0.5<", ">quantile 0.9<"})
    EXPECT_EQ(count(svg, label), 1u);
  EXPECT_EQ(count(svg, ">3 models · rbf(gamma=1)</text>"), 1u);
}

TEST(CurvePicture, TheTubeHasTheRowsOnItAndBeyondRinged) {
  const Dataset data = generate("sine", {.n = 40});
  const Model model =
      fit(Svr{.C = 10, .epsilon = 0.3}, Kernel::parse("rbf(gamma=1)"), data, {.tolerance = 1e-8});
  const std::string svg = picture(model, data);
  EXPECT_EQ(count(svg, ">tube (± ε = 0.3)<"), 1u);
  EXPECT_EQ(
      count(svg, ">row on the tube or beyond (" + std::to_string(model.fitted.report.support_vectors) + ")<"),
      1u);
}

TEST(CurvePicture, OfMoreColumnsItFollowsTheOneThatMattersMost) {
  std::vector<std::vector<double>> rows;
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) {
    rows.push_back({double(i % 3), double(i % 7), double(i % 5)});
    values.push_back(3 * rows.back()[1] + 0.1 * rows.back()[2]);
  }
  const Dataset data = numbers(rows, values);
  const Model model = fit(Ridge{.lambda = 1e-6}, Kernel::parse("linear"), data);
  EXPECT_EQ(
      count(picture(model, data),
            ">along column 2, the most important column; the curve has the other 2 columns held at their"),
      1u);
  EXPECT_EQ(
      count(
          picture(model, data, {.column = "3"}),
          ">along column 3; the curve has the other 2 columns held at their medians, the rows have theirs<"),
      1u);
}

TEST(CurvePicture, SeveralOutputsHaveACurveEach) {
  Dataset data{
      .points = Points({{0.0}, {1.0}, {2.0}}),
      .target = {.task = Task::regression, .name = "a,b", .values = {0, 1, 1, 0, 2, -1}, .outputs = 2}};
  const std::string svg = picture(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data), data);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">a<"), 1u);
  EXPECT_EQ(count(svg, ">b<"), 1u);
}

// Between the rows at 0 and 1 the parabola 40x(x − 1) reaches −10; the rows' values, 0 to 2, and as much
// again at both ends are shown.
TEST(CurvePicture, ACurveThatRunsAwayIsCutOff) {
  const Dataset bent = numbers({{0}, {0.5}, {1}}, {0, -10, 0}), flat = numbers({{0}, {1}}, {0, 2});
  const std::string svg = picture(fit(Ridge{.lambda = 1e-12}, Kernel::parse("poly(degree=2)"), bent), flat);
  ASSERT_TRUE(well_formed(svg));
  const Frame frame = frame_in(svg);
  for (const Place& place : path_points(svg, curve)) EXPECT_LE(place.y, frame.y + frame.height + 0.1);
  const auto rows = path_points(svg, "<path class=\"sm\" fill=\"none\"");
  ASSERT_EQ(rows.size(), 2u);
  // Of −1 … 2, with the margins.
  EXPECT_NEAR((rows[0].y - rows[1].y) / frame.height, 2 / (1.04 * 3 + 0.04 * 3), 0.03);
}

TEST(CurvePicture, DrawsTheSmallest) {
  const Dataset one = numbers({{2}}, {5});
  EXPECT_TRUE(well_formed(picture(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), one), one)));
  const Dataset constant = numbers({{2}, {2}, {2}}, {5, 6, 7});
  EXPECT_TRUE(well_formed(picture(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), constant), constant)));
  Dataset bare = numbers({{1}, {2}}, {5, 6});
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), bare);
  bare.target = {};
  EXPECT_EQ(count(picture(model, bare), ">row<"), 0u);
}

TEST(CurvePicture, RefusesWhatHasNoCurve) {
  const Dataset moons = generate("moons", {.n = 20}), sine = generate("sine", {.n = 20});
  const Model classifier = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons),
              ridge = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), sine);
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { picture(classifier, moons); }),
            "svm does not predict numbers, so it has no curve; draw its regions instead");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { curve_picture({}, sine); }), "a curve needs a model");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { picture(ridge, moons); }),
            "the model has 1 columns but the data have 2");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { picture(ridge, sine.select_rows(std::vector<std::size_t>())); }),
            "there are no rows to draw");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { curve_picture(std::vector<Model>(9, ridge), sine); }),
            "9 curves in one picture cannot be told apart; give at most 8 models");
}

TEST(CurvePicture, InducingPointsLieOnTheCurve) {
  const Dataset data = generate("sine", {.n = 40});
  const Model sparse =
      fit(SparseGp{.inducing = 5}, Kernel::parse("rbf(gamma=1)"), data, {}, Scaling::Kind::standard);
  EXPECT_EQ(count(picture(sparse, data), ">inducing point (5)<"), 1u);
  const Model online = fit(RecursiveRidge{.budget = 6}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(count(picture(online, data), ">point kept (6)<"), 1u);
}

}  // namespace
}  // namespace mercer
