#include <gtest/gtest.h>

#include "mercer/error.hpp"
#include "mercer/explain.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

TEST(ObjectPicture, ColoursThePartsOfATextAsItIsWritten) {
  const std::vector<std::string> list{"free <money> now"};
  const Points points(Objects("t", Domain::text, list));
  Explanation e{.row = 0, .subject = "spam", .against = "ham", .score = 1.5};
  e.parts = {{"t", 0, 4, "free", 0.5}, {"t", 6, 11, "money", 1.0}, {"t", 13, 16, "now", -0.25}};
  const std::string svg = object_picture(points, std::vector{e});
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("row 1: spam, not ham, f = 1.5"), std::string::npos);
  EXPECT_NE(svg.find(">money<"), std::string::npos);
  EXPECT_NE(svg.find("&lt;"), std::string::npos);                 // what stands between the words stays
  EXPECT_NE(svg.find("fill-opacity='0.75'"), std::string::npos);  // the part that adds most
  EXPECT_EQ(svg.find("<money>"), std::string::npos);
}

TEST(ObjectPicture, ListsThePartsOfOtherObjects) {
  const Points points(random_objects(Domain::graph, 2, 1, "g"));
  Explanation e{.row = 1, .subject = "score"};
  for (std::uint32_t v = 0; v < 20; ++v)
    e.parts.push_back({"g", v, v + 1, "node " + std::to_string(v + 1), double(v)});
  const std::string svg = object_picture(points, std::vector{e});
  EXPECT_NE(svg.find("node 20"), std::string::npos);
  EXPECT_EQ(svg.find("node 2<"), std::string::npos);  // only those that matter most
  EXPECT_THROW(object_picture(points, {}), Error);
}

}  // namespace
}  // namespace mercer
