#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/online_perceptron.hpp"
#include "mercer/methods/gp_classifier.hpp"
#include "mercer/methods/one_class.hpp"
#include "mercer/methods/pca.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "mercer/model_pictures.hpp"
#include "random_points.hpp"
#include "plot/svg_text.hpp"
#include "plot/axis.hpp"

namespace mercer {
namespace {

const std::string boundary = "<path class=\"si\" fill=\"none\" stroke-width=\"2\"",
                  margins = "<path class=\"si\" fill=\"none\" stroke-width=\"1.3\" stroke-linejoin",
                  rings = "<path class=\"si\" fill=\"none\" stroke-width=\"1.3\" d=";

Dataset classes(const std::vector<std::vector<double>>& rows, std::vector<std::int32_t> codes,
                std::vector<std::string> labels = {"no", "yes"}) {
  return {
      .points = Points(rows),
      .target = {
          .task = Task::classification, .name = "y", .labels = std::move(labels), .codes = std::move(codes)}};
}

// The widest street between (1, 1) and (−1, −1) is |x + y| < 2.
Dataset street() {
  return classes({{1, 1}, {3, 0.5}, {4, 4}, {-1, -1}, {-3, -1}, {-2, -5}}, {0, 0, 0, 1, 1, 1});
}

// Where a place of the picture lies in the plane of the data.
struct Ruler {
  Frame frame;
  Axis x, y;
  Ruler(const std::string& svg, const Dataset& data) : frame(frame_in(svg)) {
    std::vector<double> xs, ys;
    for (std::size_t i = 0; i < data.rows(); ++i)
      xs.push_back(data.points.row(i)[0]), ys.push_back(data.points.row(i)[1]);
    x = axis_over("", xs, 0.06), y = axis_over("", ys, 0.06);
  }
  std::pair<double, double> at(const Place& p) const {
    return {x.low + (p.x - frame.x) / frame.width * (x.high - x.low),
            y.high - (p.y - frame.y) / frame.height * (y.high - y.low)};
  }
};

TEST(RegionsPicture, TheBoundaryAndTheMarginsOfALineAreWhereTheyBelong) {
  const Dataset data = street();
  for (const std::string kernel : {"linear", "linear + 0*rbf(gamma=1)"}) {
    const std::string svg = regions_picture(fit(Svm{.C = 1e6}, Kernel::parse(kernel), data), data);
    ASSERT_TRUE(well_formed(svg));
    const Ruler ruler(svg, data);
    const auto line = path_points(svg, boundary), first = path_points(svg, margins),
               second = path_points(svg.substr(svg.find(margins) + 1), margins);
    ASSERT_GE(line.size(), 2u);
    ASSERT_GE(first.size(), 2u);
    ASSERT_GE(second.size(), 2u);
    for (const auto& [places, level] : {std::pair{line, 0.0}, {first, -2.0}, {second, 2.0}})  // scores 1, −1
      for (const Place& place : places) {
        const auto [x, y] = ruler.at(place);
        EXPECT_NEAR(x + y, level, 0.03) << kernel;
      }
    EXPECT_EQ(path_points(svg, rings).size(), 2u) << kernel;  // (1, 1) and (−1, −1)
    EXPECT_EQ(count(svg, ">boundary (score 0)<"), 1u);
    EXPECT_EQ(count(svg, ">margin (score ±1)<"), 1u);
  }
}

TEST(RegionsPicture, SupportVectorsAreRingedAndCounted) {
  const Dataset moons = generate("moons", {.n = 80, .noise = 0.2});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {}, Scaling::Kind::standard);
  const std::string svg = regions_picture(model, moons);
  const std::size_t supports = model.fitted.report.support_vectors;
  EXPECT_EQ(path_points(svg, rings).size(), supports);
  EXPECT_EQ(count(svg, ">support vector (" + std::to_string(supports) + ")<"), 1u);
  EXPECT_EQ(count(svg, ">svm · rbf(gamma=1)<"), 2u);  // the title of the file, and above the picture
}

// Rows on the margin or within: the same as the support vectors that a model of the same kernel keeps.
TEST(RegionsPicture, FeaturesHaveTheRowsOnTheMarginInPlaceOfSupportVectors) {
  const Dataset moons = generate("moons", {.n = 80, .noise = 0.4});
  const Kernel kernel = Kernel::parse("poly(degree=2)");
  const std::size_t kept =
      fit(Svm{}, kernel, moons, {.tolerance = 1e-8, .approx = "none"}).fitted.report.support_vectors;
  const std::string svg =
      regions_picture(fit(Svm{}, kernel, moons, {.tolerance = 1e-8, .approx = "explicit"}), moons);
  EXPECT_EQ(count(svg, ">row on the margin or within (" + std::to_string(kept) + ")<"), 1u);
}

TEST(RegionsPicture, CalibratedBoundariesAreOfProbabilities) {
  const Dataset moons = generate("moons", {.n = 60});
  EXPECT_EQ(
      count(regions_picture(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {.probabilities = true}), moons),
            ">boundary (probability ½)<"),
      1u);
}

TEST(RegionsPicture, MoreColumnsAreASliceThatIsNamed) {
  // Only the second and the last of four columns matter.
  auto rows = random_rows(60, 4, 1);
  std::vector<std::int32_t> codes;
  for (const auto& row : rows) codes.push_back(row[1] + 0.8 * row[3] > 0.1 ? 0 : 1);
  const Dataset data = classes(rows, codes);
  const Model model = fit(Svm{.C = 10}, Kernel::parse("linear"), data);
  const std::string svg = regions_picture(model, data);
  // Also in the description.
  EXPECT_EQ(
      count(svg, "a slice along column 2 and column 4, the most important columns; the other 2 columns"), 2u);
  const std::string named = regions_picture(model, data, {.columns = {"4", "1"}});
  EXPECT_EQ(
      count(named, "a slice along column 4 and column 1; the other 2 columns are held at their medians"), 2u);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { regions_picture(model, data, {.columns = {"9"}}); })
                .find("no column '9'"),
            std::string::npos);
}

TEST(RegionsPicture, ManyClassesHaveRegionsAndNoMargins) {
  const Dataset blobs = generate("blobs", {.n = 90, .classes = 5});
  const std::string svg = regions_picture(fit(Svm{}, Kernel::parse("rbf(gamma=0.1)"), blobs), blobs);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "margin"), 0u);
  for (const char* label : {"y = 0", "y = 4"}) EXPECT_EQ(count(svg, ">" + std::string(label) + "<"), 1u);
}

TEST(RegionsPicture, NoveltyIsInsideOrOutside) {
  const Dataset moons = generate("moons", {.n = 80});
  const Model model = fit(OneClass{.nu = 0.2}, Kernel::parse("rbf(gamma=2)"), moons);
  const auto inside = std::size_t(std::ranges::count(model.predict(moons.points).values, 1.0));
  const std::string svg = regions_picture(model, moons);
  EXPECT_EQ(count(svg, ">row inside (" + std::to_string(inside) + ")<"), 1u);
  EXPECT_EQ(count(svg, ">row outside (" + std::to_string(80 - inside) + ")<"), 1u);
}

TEST(RegionsPicture, RegressionIsAHeatMapWithABarAndOneColumnACurve) {
  const Dataset plane = generate("sinc2d", {.n = 60});
  const std::string svg = regions_picture(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), plane), plane);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">y</text>"), 1u);  // beside the bar
  const Dataset sine = generate("sine", {.n = 30});
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), sine);
  EXPECT_EQ(regions_picture(model, sine), curve_picture({&model, 1}, sine));
}

TEST(RegionsPicture, DrawsTheSmallest) {
  const Dataset one_column = classes({{-1}, {-2}, {1}, {2}}, {0, 0, 1, 1});
  const Model narrow = fit(Svm{.C = 1e6}, Kernel::parse("rbf(gamma=1)"), one_column);
  const std::string strips = regions_picture(narrow, one_column);
  EXPECT_TRUE(well_formed(strips));
  EXPECT_GE(count(strips, ">no<"), 2u);  // in the legend and at the strip
  const Dataset data = street();
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_TRUE(well_formed(regions_picture(model, data.select_rows(std::vector<std::size_t>{2}))));
  const Dataset constant = classes({{1, 7}, {2, 7}, {3, 7}, {4, 7}}, {0, 0, 1, 1});
  EXPECT_TRUE(well_formed(regions_picture(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), constant), constant)));
  Dataset unlabelled = data;
  unlabelled.target = {};
  EXPECT_EQ(count(regions_picture(model, unlabelled), ">row<"), 1u);
}

TEST(RegionsPicture, SaysHowManyRowsAreDrawn) {
  const Dataset many = generate("moons", {.n = 3000});
  const std::string svg = regions_picture(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), many), many);
  EXPECT_EQ(count(svg, ">2500 of 3000 rows are drawn, chosen at random<"), 1u);
  EXPECT_LT(svg.size(), 300000u);
}

TEST(RegionsPicture, RefusesWhatHasNoRegions) {
  const Dataset data = street();
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(
      refusal(ErrorKind::data, [&] { regions_picture(model, data.select_rows(std::vector<std::size_t>())); }),
      "there are no rows to draw");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { regions_picture(model, generate("friedman1", {.n = 5})); }),
            "the model has 2 columns but the data have 10");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] { regions_picture(fit(Pca{}, Kernel::parse("rbf(gamma=1)"), data), data); }),
            "pca gives coordinates, which have no regions; draw its components instead");
  Dataset values = classes({{1, 0.5}, {0.5, 1}}, {0, 1});
  values.points = kernel_rows(values.points);
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      regions_picture(
                          fit(Svm{}, Kernel::parse("precomputed"), values, {.allow_indefinite = true}),
                          values);
                    }),
            "a model of precomputed kernel values knows no columns, so it has no plane to draw");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { projection_named("plane"); }),
            "unknown projection 'plane'; choose from columns, components");
  EXPECT_EQ(projection_named("components"), Projection::components);
}

TEST(RegionsPicture, ProbabilitiesHaveTheirLines) {
  const Dataset data = generate("moons", {.n = 60});
  const std::string svg = regions_picture(
      fit(GpClassifier{.optimize = Optimize::none}, Kernel::parse("10*rbf(gamma=1)"), data), data);
  ASSERT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">boundary (probability ½)<"), 1u);
  EXPECT_EQ(count(svg, ">probability 0.1, ¼, ¾, 0.9<"), 1u);
  const std::string machine = regions_picture(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), data), data);
  EXPECT_EQ(count(machine, ">probability"), 0u);
}

TEST(RegionsPicture, PointsThatOnlineLearningKeepsAreRinged) {
  const Dataset data = generate("moons", {.n = 100, .noise = 0.3});
  const Model model = fit(OnlinePerceptron{.budget = 7}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(count(regions_picture(model, data), ">point kept (7)<"), 1u);
}

}  // namespace
}  // namespace mercer
