#include <gtest/gtest.h>

#include "learned.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"

namespace mercer {
namespace {

std::string page_of(const Dataset& data) {
  const bool classes = data.target.task == Task::classification;
  const AutomaticFit fit{.model = classes
                                      ? mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=1)"), data)
                                      : mercer::fit(Ridge{.lambda = 1}, Kernel::parse("rbf(gamma=1)"), data),
                         .search = {},
                         .metric = {},
                         .scored_on = {},
                         .score = {},
                         .baseline = {}};
  Page page("t");
  add_data(page, {.data = data, .fit = fit});
  return page.html();
}

Target yes_no(std::vector<std::int32_t> codes) {
  return {.task = Task::classification, .name = "y", .labels = {"no", "yes"}, .codes = std::move(codes)};
}

TEST(ReportData, DescribesEachColumnOfATable) {
  Dataset data{
      .points = Points({{1, 1, 0, 0, 19000}, {2, 0, 1, 0, 19001}, {3, 0, 1, 0, 19002}, {6, 0, 0, 1, 19003}}),
      .target = yes_no({0, 1, 0, 0})};
  data.schema.columns = {{.name = "weight", .categories = {}},
                         {.name = "home", .categories = {"cage", "garden", "?"}},
                         {.name = "born", .categories = {}, .dates = Schema::Dates::year_first}};
  data.notes = {"the column 'id' was left out: it names rows"};
  const std::string html = page_of(data);
  ASSERT_TRUE(page_is_sound(html));
  // mean 3, deviation √(14/4)
  EXPECT_EQ(count(html,
                  "<td>weight</td><td>number</td><td>1 to 6</td><td class=\"number\">3</td><td "
                  "class=\"number\">1.871</td>"),
            1u);
  EXPECT_EQ(
      count(html,
            "<td>home</td><td>categories</td><td class=\"long\">garden (2), cage (1), missing (1)</td>"),
      1u);
  EXPECT_EQ(count(html, "<td>born</td><td>date</td><td>2022-01-08 to 2022-01-11</td>"), 1u);
  EXPECT_EQ(count(html, "<td>no</td><td class=\"number\">3</td><td class=\"share\">75.0 %"), 1u);
  EXPECT_EQ(count(html, "<li>the column &#39;id&#39; was left out: it names rows</li>"), 1u);
}

TEST(ReportData, OfNumbersHasTheirSpread) {
  const std::string html =
      page_of({.points = Points({{0.0}, {1.0}, {2.0}, {3.0}, {4.0}}),
               .target = {.task = Task::regression, .name = "y", .values = {5, 1, 2, 4, 3}}});
  ASSERT_TRUE(page_is_sound(html));
  std::string row = "<td>y</td>";
  for (const char* number : {"1", "2", "3", "4", "5", "3", "1.414"})
    row += std::string("<td class=\"number\">") + number + "</td>";
  EXPECT_EQ(count(html, row), 1u);
}

TEST(ReportData, ShowsTheFirstOfManyColumnsAndTheMostFrequentOfManyClasses) {
  Dataset data{.points = {}, .target = {.task = Task::classification, .name = "y"}};
  std::vector<std::vector<double>> rows;
  for (int c = 0; c < 30; ++c) {
    data.target.labels.push_back("class " + std::to_string(c));
    for (int copy = 0; copy <= (c == 29 ? 2 : 1); ++copy) {
      data.target.codes.push_back(c);
      rows.emplace_back(100, double(c + copy));
    }
  }
  data.points = Points(rows);
  const std::string html = page_of(data);
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "the first 24 of 100 columns"), 1u);
  EXPECT_EQ(count(html, "the 20 most frequent of 30 classes"), 1u);
  EXPECT_EQ(count(html, "<td>class 29</td><td class=\"number\">3</td>"), 1u);
  EXPECT_EQ(count(html, "<td>class 28</td>"), 0u);
}

TEST(ReportData, OfAConstantColumnSaysSo) {
  EXPECT_EQ(
      count(page_of({.points = Points({{2, 1}, {2, 2}, {2, 3}, {2, 9}}), .target = yes_no({0, 0, 1, 1})}),
            "always 2"),
      1u);
}

}  // namespace
}  // namespace mercer
