#include <gtest/gtest.h>

#include <cmath>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(SpectrumPicture, EigenvaluesDescendOnALogarithmicAxis) {
  const std::vector<double> values{1, 100, 10};
  const std::string svg = spectrum_picture(values);
  const Frame f = frame_in(svg);
  const auto places = path_points(svg, "<path class=\"s0\"");
  ASSERT_EQ(places.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR((places[i].x - f.x) / f.width, (double(i) + 0.5) / 3, 1e-3);
    // 5 % of two decades at each end.
    EXPECT_NEAR(1 - (places[i].y - f.y) / f.height, (2 - double(i) + 0.1) / 2.2, 1e-3);
  }
  const std::string right = svg.substr(svg.find("<g transform"));
  const Frame g = frame_in(right);
  const auto shares = path_points(right, "<path class=\"s0\"");
  EXPECT_NEAR(1 - (shares[1].y - g.y) / g.height, 110 / 111. / 1.02, 1e-3);
  EXPECT_NE(svg.find(">90 % of the sum in the first 1</text>"), std::string::npos);
  EXPECT_NE(svg.find(">99 % of the sum in the first 2</text>"), std::string::npos);
  EXPECT_NE(svg.find(">3 eigenvalues, effective rank 1.22</text>"), std::string::npos);  // 111² / 10101
}

TEST(SpectrumPicture, NegativeOnesAreMarked) {
  const std::vector<double> values{-2, 1, 1e-30};
  const std::string svg = spectrum_picture(values, "<k>");
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find(">negative: the absolute value</text>"), std::string::npos);
  EXPECT_EQ(path_points(svg, "<path class=\"s1\"").size(), 1u);
  EXPECT_NE(svg.find(">1 of 3 are 0 to rounding and not drawn</text>"), std::string::npos);
}

TEST(SpectrumPicture, AnySizeIsValid) {
  for (const std::size_t n : {1, 2, 39, 40, 5000}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(std::exp(-double(i) / 10));
    const std::string svg = spectrum_picture(values);
    EXPECT_TRUE(well_formed(svg));
    EXPECT_LT(svg.size(), 300'000u);
  }
  EXPECT_TRUE(well_formed(spectrum_picture(std::vector<double>(5, 0.0))));
}

TEST(SpectrumPicture, NeedsFiniteEigenvalues) {
  EXPECT_EQ(refusal_of([] { spectrum_picture({}); }), "there are no eigenvalues to draw");
  EXPECT_EQ(refusal_of([] {
              spectrum_picture(std::vector<double>{1, std::nan("")});
            }),
            "an eigenvalue is not finite");
}

}  // namespace
}  // namespace mercer
