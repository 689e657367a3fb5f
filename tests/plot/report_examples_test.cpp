#include <gtest/gtest.h>

#include "learned.hpp"
#include "mercer/methods/knn.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"
#include "plot/svg.hpp"

namespace mercer {
namespace {

Dataset on_a_line(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::vector<double>> rows;
  for (const double value : x) rows.push_back({value});
  return {.points = Points(rows), .target = {.task = Task::regression, .name = "y", .values = y}};
}

AutomaticFit plain(Model model) {
  return {
      .model = std::move(model), .search = {}, .metric = {}, .scored_on = {}, .score = {}, .baseline = {}};
}

template <class Add>
std::string examples_page(const Dataset& data, const AutomaticFit& fit, const Add& add,
                          const std::vector<ColumnInfluence>& influences = {}) {
  Page page("t");
  page.section("first", "First");
  add(page, ReportInput{.data = data, .fit = fit}, influences);
  return page.html();
}

TEST(ReportExamples, RanksTheRowsByTheirWeights) {
  const Dataset data = on_a_line({10, 20, 30}, {1, 2, 4});
  AutomaticFit fit = plain(
      mercer::fit(Ridge{.lambda = 1}, Kernel::parse("rbf(gamma=0.01)"), data, {}, Scaling::Kind::standard));
  fit.model.fitted.expansion.coefficients = {0.5, 0, -2};
  ASSERT_EQ(fit.model.fitted.expansion.points.rows(), 3u);
  const std::string html = examples_page(data, fit, add_examples);
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "a sum over 2 training rows"), 1u);
  const std::vector<double> answers = fit.model.predict(data.points).values;
  const auto line = [&](const std::string& row, const std::string& target, double answer,
                        const std::string& weight, const std::string& bar, const std::string& x) {
    return "<tr><td class=\"number\">" + row + "</td><td class=\"number\">" + target +
           "</td><td class=\"number\">" + label_text(answer) + "</td><td class=\"share\">" + weight +
           "<span class=\"bar\" style=\"width:" + bar + "%\"></span></td><td class=\"number\">" + x +
           "</td></tr>";
  };
  const std::string largest = line("3", "4", answers[2], "2", "100.0", "30"),
                    next = line("1", "1", answers[0], "0.5", "25.0", "10");
  EXPECT_EQ(count(html, largest), 1u);
  EXPECT_EQ(count(html, next), 1u);
  EXPECT_LT(html.find(largest), html.find(next));
}

TEST(ReportExamples, SumsTheWeightsOfAMachineForPairs) {
  const Dataset data{
      .points = Points({{0.0}, {1.0}, {5.0}, {6.0}, {20.0}, {21.0}}),
      .target = {
          .task = Task::classification, .name = "y", .labels = {"a", "b", "c"}, .codes = {0, 0, 1, 1, 2, 2}}};
  const AutomaticFit fit = plain(mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=0.1)"), data));
  const Expansion& e = fit.model.fitted.expansion;
  double most = 0;
  for (std::size_t i = 0; i < e.points.rows(); ++i)
    most = std::max(most, std::abs(e.coefficients[2 * i]) + std::abs(e.coefficients[2 * i + 1]));
  const std::string html = examples_page(data, fit, add_examples);
  char text[32];
  std::snprintf(text, sizeof text, ">%.4g<span", most);
  EXPECT_GE(count(html, text), 1u);
  EXPECT_EQ(count(html, "<td class=\"number\">–</td>"), 0u);  // every example was found among the rows
}

TEST(ReportExamples, OfEqualWeightsTheWrongOnesComeFirst) {
  // Rows 1 to 30 at their bound; two of them are among the others' and cannot be right.
  Dataset data{
      .points = {},
      .target = {.task = Task::classification, .name = "y", .labels = {"left", "right"}, .codes = {}}};
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 30; ++i) rows.push_back({0.01 * i + (i % 2)}), data.target.codes.push_back(i % 2);
  data.target.codes[20] = 1, data.target.codes[25] = 0;
  data.points = Points(rows);
  const AutomaticFit fit = plain(mercer::fit(Svm{.C = 0.01}, Kernel::parse("rbf(gamma=1)"), data));
  const std::string html = examples_page(data, fit, add_examples);
  const std::string first =
      html.substr(html.find("<tbody>"), html.find("</tr>", html.find("<tbody>")) - html.find("<tbody>"));
  EXPECT_TRUE(first.find("<td>right</td><td>left</td>") != std::string::npos ||
              first.find("<td>left</td><td>right</td>") != std::string::npos)
      << first;
  EXPECT_EQ(count(html, "<td>right</td><td>left</td>") + count(html, "<td>left</td><td>right</td>"), 2u);
  EXPECT_GE(count(html, "<td>left</td><td>left</td>"), 3u);
  EXPECT_GE(count(html, "<td>right</td><td>right</td>"), 3u);
}

TEST(ReportExamples, AreLeftOutWhereTheModelKeepsNone) {
  const Dataset data = on_a_line({10, 20, 30, 40}, {1, 2, 4, 8});
  EXPECT_EQ(count(examples_page(data, plain(mercer::fit(Knn{}, Kernel::parse("rbf(gamma=0.01)"), data)),
                                add_examples),
                  "examples"),
            0u);
  EXPECT_EQ(count(examples_page(data,
                                plain(mercer::fit(Ridge{.lambda = 1}, Kernel::parse("rbf(gamma=0.01)"), data,
                                                  {.approx = "nystrom:2"})),
                                add_examples),
                  "examples"),
            0u);
}

TEST(ReportNeighbours, AreTheNearestRowsUnderTheKernel) {
  // Under the linear kernel the distance is |x − z|; the rows looked at are those of the targets 1, 4 and 8.
  const Dataset data = on_a_line({0, 10, 3, 7, 30, 1, 100, 4, 12, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const std::string html = examples_page(
      data, plain(mercer::fit(Ridge{.lambda = 1}, Kernel::parse("linear + 0*rbf(gamma=1)"), data)),
      add_neighbours);
  ASSERT_TRUE(page_is_sound(html));
  const auto table = [&](const std::string& heading) {
    return html.substr(html.find(heading), html.find("</table>", html.find(heading)) - html.find(heading));
  };
  const auto expect_order = [&](const std::string& heading, const std::vector<std::string>& cells) {
    const std::string text = table(heading);
    std::size_t at = 0;
    for (const std::string& cell : cells) {
      at = text.find("<tr><td class=\"number\">" + cell, at + 1);
      EXPECT_NE(at, std::string::npos) << heading << ": " << cell;
    }
  };
  expect_order("<h3>Row 1: 1</h3>",
               {"1 itself", "6</td><td class=\"number\">1</td>", "3</td><td class=\"number\">3</td>",
                "8</td><td class=\"number\">4</td>", "10</td><td class=\"number\">5</td>",
                "4</td><td class=\"number\">7</td>"});
  expect_order("<h3>Row 5: 5</h3>",
               {"5 itself", "9</td><td class=\"number\">18</td>", "2</td><td class=\"number\">20</td>"});
  EXPECT_EQ(count(html, "<h3>"), 3u);
}

TEST(ReportNeighbours, ShowARowOfEachFrequentClass) {
  const Dataset data{.points = Points({{0.0}, {1.0}, {5.0}, {6.0}, {20.0}, {21.0}, {22.0}, {40.0}}),
                     .target = {.task = Task::classification,
                                .name = "y",
                                .labels = {"a", "b", "c", "d"},
                                .codes = {0, 0, 1, 1, 2, 2, 2, 3}}};
  const std::string html = examples_page(
      data, plain(mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=0.1)"), data)), add_neighbours);
  for (const char* heading : {"<h3>Row 1: a</h3>", "<h3>Row 3: b</h3>", "<h3>Row 5: c</h3>"})
    EXPECT_EQ(count(html, heading), 1u) << heading;
  EXPECT_EQ(count(html, "<h3>"), 3u);
}

TEST(ReportInfluences, ShowTheLargestWithTheirShares) {
  std::vector<ColumnInfluence> influences;
  for (std::size_t c = 0; c < 14; ++c)
    influences.push_back({c, "column " + std::to_string(c), 1, c == 0 ? 0.5 : 0.5 / 13});
  Page page("t");
  add_influences(page, influences);
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "50.0 %<span class=\"bar\" style=\"width:100.0%\">"), 1u);
  EXPECT_EQ(count(html, "3.8 %<span class=\"bar\" style=\"width:7.7%\">"), 11u);
  EXPECT_EQ(count(html, "The other 2 columns move it less."), 1u);
  Page none("t");
  add_influences(none, {});
  EXPECT_EQ(count(none.html(), "<section"), 0u);
}

// Objects have no numbers to tell rows by: an example is the row that the fit says it is.
TEST(ReportExamples, OfObjectsAreTheRowsTheyWere) {
  const std::vector<std::string> texts{"red cat", "red dog", "red fox", "blue sea", "blue sky", "blue ice"};
  const Dataset data{
      .points = Points(Objects("words", Domain::text, texts)),
      .target = {
          .task = Task::classification, .name = "y", .labels = {"r", "b"}, .codes = {0, 0, 0, 1, 1, 1}}};
  AutomaticFit fit = plain(mercer::fit(Svm{.C = 0.01}, Kernel::parse("bow"), data));
  ASSERT_EQ(fit.model.fitted.expansion.points.rows(), 6u);
  for (const bool from_file : {false, true}) {
    if (from_file) fit.model = Model::from_bytes(fit.model.bytes());
    const std::string html = examples_page(data, fit, add_examples);
    for (int row = 1; row <= 6; ++row)
      EXPECT_EQ(count(html, "<tr><td class=\"number\">" + std::to_string(row) + "</td>"), 1u)
          << from_file << ": row " << row;
  }
}

TEST(ReportExamples, OfEqualRowsEachIsShownOnce) {
  const Dataset data{
      .points = Points({{1.0}, {1.0}, {2.0}, {2.0}}),
      .target = {.task = Task::classification, .name = "y", .labels = {"a", "b"}, .codes = {0, 0, 1, 1}}};
  AutomaticFit fit = plain(mercer::fit(Svm{.C = 0.01}, Kernel::parse("rbf(gamma=1)"), data));
  for (const bool from_file : {false, true}) {
    if (from_file) fit.model = Model::from_bytes(fit.model.bytes());
    const std::string html = examples_page(data, fit, add_examples);
    for (int row = 1; row <= 4; ++row)
      EXPECT_LE(count(html, "<tr><td class=\"number\">" + std::to_string(row) + "</td>"), 1u) << row;
  }
}

}  // namespace
}  // namespace mercer
