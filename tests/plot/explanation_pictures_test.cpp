#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/error.hpp"
#include "mercer/explain.hpp"
#include "mercer/methods.hpp"
#include "plot/svg_text.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

// Classes in turn, one further along each column than the next; as numbers, how far.
Dataset steps(std::size_t n, std::size_t classes, Task kind = Task::classification) {
  Random random(n);
  Dataset data;
  data.target.task = kind;
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c + 1));
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double along = double(i % classes);
    rows.push_back({along + random.normal() / 3, along + random.normal() / 3});
    data.target.codes.push_back(std::int32_t(i % classes));
    data.target.values.push_back(along);
  }
  data.points = Points(rows);
  return data;
}

TEST(ExplanationPicture, HasABarForEachPart) {
  const Dataset data = steps(40, 3);
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=0.3) + linear"), data, {.approx = "none"});
  const std::vector<std::size_t> rows{0, 4};
  const auto explained = explain(model, data.points, rows, {.examples = 3});
  const std::string svg = explanation_picture(model, explained, column_influence(model, data.points));
  EXPECT_TRUE(well_formed(svg));
  for (const char* part : {"row 1: 1, not ", "row 5: 2, not ", ">linear<", "rbf(gamma=0.3)", "constant",
                           "others", "column 2 = ", "over all rows"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(ExplanationPicture, OfFeaturesSaysWhyThereAreNoExamples) {
  const Dataset data = steps(40, 2);
  const Model model = fit(Logistic{}, Kernel::parse("linear"), data, {.approx = "explicit"});
  const auto explained = explain(model, data.points, std::vector<std::size_t>{0});
  const std::string svg = explanation_picture(model, explained, {});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find("no examples"), std::string::npos);
}

TEST(ExplanationPicture, OfManyRowsDrawsTheFirst) {
  const Dataset data = steps(30, 3, Task::regression);
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data, {.approx = "none"});
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 30; ++i) rows.push_back(i);
  EXPECT_NE(explanation_picture(model, explain(model, data.points, rows), {})
                .find("the first 12 of 30 explanations"),
            std::string::npos);
}

TEST(ExplanationPicture, OfNothingIsRefused) {
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), steps(10, 3, Task::regression));
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { explanation_picture(model, {}, {}); }),
            "there is no explanation to draw");
}

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
  Explanation e{.row = 1, .subject = "score", .against = ""};
  for (std::uint32_t v = 0; v < 20; ++v)
    e.parts.push_back({"g", v, v + 1, "node " + std::to_string(v + 1), double(v)});
  const std::string svg = object_picture(points, std::vector{e});
  EXPECT_NE(svg.find("node 20"), std::string::npos);
  EXPECT_EQ(svg.find("node 2<"), std::string::npos);  // only those that matter most
  EXPECT_THROW(object_picture(points, {}), Error);
}

}  // namespace
}  // namespace mercer
