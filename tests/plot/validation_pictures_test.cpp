#include <gtest/gtest.h>

#include <cmath>

#include "mercer/methods/svm.hpp"
#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

/// A search over the product of the axes, with score(values).
template <class Score>
Search search_over(std::vector<GridAxis> axes, const Score& score) {
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  Search search{.spaces = {{Svm{}, kernel, axes}}, .metric = "accuracy", .trials = {}};
  std::vector<std::vector<double>> settings{{}};
  for (const GridAxis& axis : axes) {
    std::vector<std::vector<double>> longer;
    for (const auto& setting : settings)
      for (const double value : axis.values) longer.push_back(setting), longer.back().push_back(value);
    settings = std::move(longer);
  }
  for (const auto& values : settings) {
    search.trials.push_back({.space = 0,
                             .values = values,
                             .method = Svm{},
                             .kernel = kernel,
                             .rows = 100,
                             .score = score(values),
                             .error = 0.01});
    const Trial& best = search.trials[search.best];
    if (!(search.trials.back().score <= best.score)) search.best = search.trials.size() - 1;
  }
  return search;
}

std::vector<double> powers(int from, int to) {
  std::vector<double> values;
  for (int e = from; e <= to; ++e) values.push_back(std::pow(2, e));
  return values;
}

double hill(const std::vector<double>& v) {
  return 0.9 - 0.01 * std::pow(std::log2(v[0]) - 1, 2) - 0.02 * std::pow(std::log2(v[1]) + 2, 2);
}

TEST(SearchPicture, TwoAxesAreAMapWithTheBestCellMarked) {
  const std::string svg =
      search_picture(search_over({{"C", powers(-1, 3)}, {"gamma", powers(-4, 0)}}, hill), "t");
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ">0.900</text>"), 1u);
  EXPECT_EQ(count(svg, ">0.890</text>"), 2u);  // C one step away
  EXPECT_NE(svg.find(">best: accuracy 0.900 at C = 2, gamma = 0.25 (± 0.01)</text>"), std::string::npos);
  EXPECT_NE(svg.find(">2⁻⁴</text>"), std::string::npos);
  const Frame f = frame_in(svg);
  const auto ring = path_points(svg, "<path class=\"s1\"");
  ASSERT_EQ(ring.size(), 5u);
  EXPECT_NEAR(ring[0].x, f.x + f.width * 2 / 5, 0.06);  // the third of five columns
  EXPECT_NEAR(ring[0].y, f.y + f.height * (1 - 2 / 5.), 0.06);
}

TEST(SearchPicture, SettingsWithoutAScoreAreGrey) {
  const std::string svg =
      search_picture(search_over({{"C", {1, 2, 4}}, {"gamma", {1, 2}}},
                                 [](const auto& v) { return v[0] == 4 && v[1] == 1 ? std::nan("") : v[0]; }));
  EXPECT_NE(svg.find("stroke=\"#999\" d=\"M2 0.5h1\""), std::string::npos);
  EXPECT_NE(svg.find(">1 of 6 candidates have no score (gray)</text>"), std::string::npos);
}

TEST(SearchPicture, OneAxisIsALineWithErrors) {
  const Search search =
      search_over({{"C", {1, 10, 100}}}, [](const auto& v) { return v[0] == 10 ? 0.8 : 0.7; });
  const std::string svg = search_picture(search);
  EXPECT_TRUE(well_formed(svg));
  const Frame f = frame_in(svg);
  const auto whiskers = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(whiskers.size(), 6u);
  // From 0.69 to 0.81, with 6 % of that at each end.
  EXPECT_NEAR((f.y + f.height - whiskers[0].y) / f.height, 0.06 / 1.12, 2e-3);
  EXPECT_NEAR((f.y + f.height - whiskers[3].y) / f.height, 1.06 / 1.12, 2e-3);
  EXPECT_NEAR((whiskers[2].x - f.x) / f.width, 0.5, 1e-3);
  EXPECT_NE(svg.find(">best</text>"), std::string::npos);
}

TEST(SearchPicture, FurtherAxesAreHeldAtTheBest) {
  const std::string svg = search_picture(
      search_over({{"C", {1, 2}}, {"epsilon", {0.5}}, {"gamma", {1, 2}}, {"factor", {3, 4}}},
                  [](const auto& v) { return v[3] == 4 ? v[0] + v[2] : 100.0 * (v[0] == 9); }));
  EXPECT_NE(svg.find(">held at the best: epsilon = 0.5, factor = 4</text>"), std::string::npos);
  EXPECT_EQ(count(svg, ">3.000</text>"), 2u);
  EXPECT_EQ(count(svg, ">0.000</text>"), 0u);
}

TEST(SearchPicture, SettingsGivenUpEarlyAreSaid) {
  Search search = search_over({{"C", {1, 2, 4}}}, [](const auto& v) { return v[0]; });
  search.trials[0].rows = 50;
  EXPECT_NE(search_picture(search).find(">1 of 3 candidates were dropped early, on fewer rows</text>"),
            std::string::npos);
  EXPECT_EQ(search_picture(search).find("cut short"), std::string::npos);
  search.cut_short = true;
  EXPECT_NE(search_picture(search).find(">the search was cut short: the best so far</text>"),
            std::string::npos);
}

TEST(SearchPicture, LargeGridsAreValid) {
  std::vector<double> many;
  for (int i = 1; i <= 100; ++i) many.push_back(i);
  const std::string svg = search_picture(search_over(
      {{"C", many}, {"gamma", many}}, [](const auto& v) { return v[0] == 7 ? 1e9 : std::sin(v[0] * v[1]); }));
  EXPECT_TRUE(well_formed(svg));
  EXPECT_LT(svg.size(), 300'000u);
  const std::string equal =
      search_picture(search_over({{"C", {1, 2}}, {"<gamma>", {1, 2}}}, [](const auto&) { return 0.5; }));
  EXPECT_TRUE(well_formed(equal));
}

TEST(SearchPicture, NeedsAnAxis) {
  EXPECT_EQ(refusal_of([] { search_picture({}); }), "the search has no trials to draw");
  EXPECT_EQ(refusal_of([] {
              search_picture(search_over({{"C", {1}}}, [](const auto&) { return 1.0; }));
            }),
            "no axis of the search has several values; name one or two parameters to vary");
  EXPECT_EQ(refusal_of([] {
              search_picture(search_over({{"C", {1, 2}}}, [](const auto&) { return std::nan(""); }));
            }),
            "no candidate of the search has a score");
}

LambdaPath some_path() {
  return {.kernel = Kernel::parse("linear"),
          .lambda = {0.01, 1, 100},
          .leave_one_out = {2, 1, 3},
          .generalised = {2.5, 1.5, 3},
          .degrees_of_freedom = {20, 10, 0},
          .best = 1};
}

TEST(LambdaPathPicture, MarksTheBest) {
  const std::string svg = lambda_path_picture(some_path(), "<ridge>");
  EXPECT_TRUE(well_formed(svg));
  const Frame f = frame_in(svg);
  const auto line = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(line.size(), 3u);
  EXPECT_NEAR((line[1].x - f.x) / f.width, 0.5, 1e-3);
  // 1 on an axis from 1 − 0.12 to 3.12.
  EXPECT_NEAR((f.y + f.height - line[1].y) / f.height, 0.12 / 2.24, 1e-3);
  const auto ring = path_points(svg, "<path class=\"s1\"");
  ASSERT_EQ(ring.size(), 1u);
  EXPECT_NEAR(ring[0].x, line[1].x - 6, 0.11);
  EXPECT_NE(svg.find(">best: λ = 1, RMSE 1</text>"), std::string::npos);
  EXPECT_NE(svg.find(">at the best λ: 10</text>"), std::string::npos);
}

TEST(LambdaPathPicture, NeedsPrices) {
  EXPECT_THROW(lambda_path_picture({.kernel = Kernel::parse("linear")}), Error);
}

TEST(LearningCurvePicture, HasBothCurvesWithTheirErrors) {
  const LearningCurve curve{.metric = "accuracy",
                            .sizes = {10, 100, 1000},
                            .training = {1, 0.9, 0.85},
                            .training_error = {0, 0, 0},
                            .validation = {0.5, 0.7, 0.8},
                            .validation_error = {0.1, 0.1, 0}};
  const std::string svg = learning_curve_picture(curve, "<t>");
  EXPECT_TRUE(well_formed(svg));
  const Frame f = frame_in(svg);
  const auto left_out = path_points(svg, "<path class=\"s0\""),
             learned = path_points(svg, "<path class=\"s1\""), band = path_points(svg, "<path class=\"f0\"");
  ASSERT_EQ(left_out.size(), 3u);
  ASSERT_EQ(learned.size(), 3u);
  EXPECT_NEAR((left_out[1].x - f.x) / f.width, 0.5, 1e-3);
  // From 0.4 to 1, with 6 % of that at each end.
  const auto height = [&](double score) { return (score - 0.4 + 0.036) / 0.672; };
  EXPECT_NEAR((f.y + f.height - left_out[1].y) / f.height, height(0.7), 1e-3);
  EXPECT_NEAR((f.y + f.height - learned[0].y) / f.height, height(1), 1e-3);
  EXPECT_NEAR((f.y + f.height - band[0].y) / f.height, height(0.4), 1e-3);
  EXPECT_NE(svg.find(">1000 rows: validation accuracy 0.8, training 0.85"), std::string::npos);
}

TEST(LearningCurvePicture, OneSizeIsValid) {
  const LearningCurve curve{.metric = "rmse",
                            .sizes = {10},
                            .training = {1},
                            .training_error = {0},
                            .validation = {2},
                            .validation_error = {0}};
  EXPECT_TRUE(well_formed(learning_curve_picture(curve)));
}

TEST(LearningCurvePicture, RefusesWhatDoesNotBelongTogether) {
  EXPECT_EQ(refusal_of([] { learning_curve_picture({}); }), "the learning curve has no sizes to draw");
  EXPECT_EQ(refusal_of([] {
              learning_curve_picture({.metric = "rmse",
                                      .sizes = {10},
                                      .training = {},
                                      .training_error = {},
                                      .validation = {},
                                      .validation_error = {}});
            }),
            "0 scores do not belong to 1 sizes");
}

}  // namespace
}  // namespace mercer
