#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

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
