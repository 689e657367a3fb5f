#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(ResidualPicture, PredictedStandsAgainstTrue) {
  const auto [truth, p] = predicted_numbers({0, 1, 2, 10}, {1, 1, 1, 9});
  const std::string svg = residual_picture(truth, p);
  const Frame f = frame_in(svg);
  const auto places = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 4u);
  // Both axes go from −0.4 to 10.4: the range with 4 % at each end.
  EXPECT_NEAR((places[3].x - f.x) / f.width, 10.4 / 10.8, 1e-3);
  EXPECT_NEAR(1 - (places[3].y - f.y) / f.height, 9.4 / 10.8, 1e-3);
  const auto diagonal = path_points(svg, "<path class=\"sm\"");
  EXPECT_NEAR(diagonal[0].x, f.x, 0.06);
  EXPECT_NEAR(diagonal[0].y, f.y + f.height, 0.06);
  EXPECT_NE(svg.find(">RMSE 0.866, MAE 0.75, R² 0.9522, of 4 rows</text>"), std::string::npos);
}

TEST(ResidualPicture, ResidualsAreTrueMinusPredicted) {
  const auto [truth, p] = predicted_numbers({0, 4}, {0, 2});  // residuals 0 and 2, predicted 0 and 2
  const std::string svg = residual_picture(truth, p), right = svg.substr(svg.find("<g transform"));
  const Frame f = frame_in(right);
  const auto places = path_points(right, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_NEAR((places[1].x - f.x) / f.width, 2.08 / 2.16, 1e-3);
  EXPECT_NEAR(1 - (places[1].y - f.y) / f.height, 2.12 / 2.24, 1e-3);
}

TEST(ResidualPicture, OutputsHaveTheirNames) {
  auto [truth, p] = predicted_numbers({1, 2, 3, 4}, {1, 2, 3, 5}, 2);
  truth.name = "a,<b>";
  const std::string svg = residual_picture(truth, p);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find(">&lt;b&gt;</text>"), std::string::npos);
}

TEST(ResidualPicture, AnySizeIsValid) {
  const auto [truth, p] = predicted_numbers({3}, {3});
  EXPECT_TRUE(well_formed(residual_picture(truth, p)));
  std::vector<double> many(50'000), other(50'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = double(i), other[i] = double(i) * 1.1;
  const auto [long_truth, long_p] = predicted_numbers(many, other);
  EXPECT_LT(residual_picture(long_truth, long_p).size(), 300'000u);
}

TEST(ResidualPicture, RefusesWhatDoesNotBelongTogether) {
  const auto [truth, p] = predicted_numbers({1, 2}, {1});
  EXPECT_EQ(refusal_of([&] { residual_picture(truth, p); }),
            "1 predicted numbers do not belong to 2 true ones");
  EXPECT_EQ(refusal_of([&] { residual_picture(predicted_numbers({}, {}).truth, {}); }),
            "there are no rows to draw");
}

}  // namespace
}  // namespace mercer
