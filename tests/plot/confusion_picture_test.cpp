#include <gtest/gtest.h>

#include "mercer/pictures.hpp"
#include "plot/predicted.hpp"
#include "plot/svg_text.hpp"

namespace mercer {
namespace {

TEST(ConfusionPicture, CountsStandInTheirCells) {
  auto [truth, p] = predicted_classes(10, 2);
  truth.codes = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
  p.codes = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};  // 5 2 / 0 3
  const std::string svg = confusion_picture(truth, p);
  const Frame f = frame_in(svg);
  const auto place = [&](const std::string& number) {
    const std::size_t end = svg.find(">" + number + "</text>"),
                      begin = svg.rfind("<text class=\"fi mid\"", end);
    const std::string tag = svg.substr(begin, end - begin);
    return Place{(attribute(tag, "x") - f.x) / f.width, (attribute(tag, "y") - 4 - f.y) / f.height};
  };
  EXPECT_NEAR(place("5").x, 0.25, 2e-3);
  EXPECT_NEAR(place("5").y, 0.25, 2e-3);
  EXPECT_NEAR(place("2").x, 0.75, 2e-3);
  EXPECT_NEAR(place("2").y, 0.25, 2e-3);
  EXPECT_NEAR(place("3").y, 0.75, 2e-3);
  EXPECT_EQ(count(svg, "<path class=\"f1\""), 1u);                                // one kind of mistake
  EXPECT_NE(svg.find("<path class=\"f0\" opacity=\"0.60\""), std::string::npos);  // all of the second class
  EXPECT_NE(svg.find(">accuracy 0.8000, balanced 0.8571, of 10 rows</text>"), std::string::npos);
}

TEST(ConfusionPicture, AnyNumberOfClassesIsValid) {
  for (const std::size_t k : {1, 2, 10, 26, 30, 200}) {
    const auto [truth, p] = predicted_classes(3000, k, 1, 3);
    const std::string svg = confusion_picture(truth, p, std::string(300, 'k'));
    EXPECT_TRUE(well_formed(svg)) << k;
    EXPECT_LT(svg.size(), 300'000u) << k;
    EXPECT_EQ(count(svg, "the 30 classes with the most mistakes, of 200</text>"), k == 200 ? 1u : 0u);
  }
}

TEST(ConfusionPicture, LeavesOutClassesThatAreNotThere) {
  auto [truth, p] = predicted_classes(50, 2);
  truth.labels.push_back("</text>");
  EXPECT_TRUE(well_formed(confusion_picture(truth, p)));
  EXPECT_EQ(count(confusion_picture(truth, p), "&lt;/text&gt;"), 0u);
  truth.codes[0] = 2;
  EXPECT_EQ(count(confusion_picture(truth, p), ">&lt;/text&gt;<"), 2u);
}

TEST(ConfusionPicture, ShortensLargeNumbers) {
  auto [truth, p] = predicted_classes(120'000, 2);
  p.codes = truth.codes = std::vector<std::int32_t>(120'000, 1);
  EXPECT_NE(confusion_picture(truth, p).find(">120k</text>"), std::string::npos);
}

TEST(ConfusionPicture, NeedsRows) { EXPECT_THROW(confusion_picture({}, {}), Error); }

}  // namespace
}  // namespace mercer
