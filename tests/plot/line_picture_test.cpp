#include "mercer/line_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

Points table() {
  Dense<double> numbers{3, 3, Buffer<double>(9)};
  std::ranges::copy(std::initializer_list<double>{1, 0, 5, 10, 5, 10, 100, 10, 0}, numbers.values.begin());
  return Points(std::move(numbers), {"n", "first", "second"});
}

TEST(LinePicture, AColumnIsALineOverTheFirst) {
  const std::string svg = line_picture(table(), {.title = "t", .label = "seconds"});
  EXPECT_TRUE(well_formed(svg));
  const auto places = path_points(svg, "<path class=\"s0\"");  // (1, 0), (10, 5), (100, 10)
  ASSERT_GE(places.size(), 3u);
  EXPECT_NEAR((places[1].x - places[0].x) / (places[2].x - places[0].x), 9.0 / 99, 1e-3);
  EXPECT_NEAR(places[0].y - places[1].y, places[1].y - places[2].y, 0.11);
  for (const char* word : {">n<", ">first<", ">second<", ">seconds<", "class=\"title\""})
    EXPECT_EQ(count(svg, word), 1u) << word;
}

TEST(LinePicture, LogarithmicAxesLeaveOutWhatTheyCannotShow) {
  const std::string svg = line_picture(table(), {.log_x = true, .log_y = true});
  EXPECT_TRUE(well_formed(svg));
  const auto places = path_points(svg, "<path class=\"s1\"");  // (1, 5), (10, 10); 0 is left out
  ASSERT_EQ(places.size(), 2u);
  const Frame f = frame_in(svg);
  EXPECT_NEAR((places[1].x - places[0].x) / f.width, 0.5 / 1.08, 1e-2);
}

TEST(LinePicture, TablesThatHaveNoLinesAreRefused) {
  EXPECT_THROW(line_picture(Points(std::vector<std::vector<double>>{{1}, {2}})), Error);
  EXPECT_THROW(line_picture(Points(Dense<double>{0, 2, Buffer<double>(0)})), Error);
  EXPECT_TRUE(well_formed(line_picture(Points(std::vector<std::vector<double>>{{1, 2}}))));
}

}  // namespace
}  // namespace mercer
