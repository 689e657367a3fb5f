#include <gtest/gtest.h>

#include <limits>

#include "base/refusal.hpp"
#include "learned.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/pca.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "mercer/report.hpp"
#include "mercer/version.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"

namespace mercer {
namespace {

Dataset moons(std::size_t n) { return generate("moons", {.n = n}); }

TEST(Report, SaysWhatWasLearnedAndHowToDoItAgain) {
  const Dataset data = moons(120);
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  fit.next = {"more rows"};
  const std::string html = report_page({.data = data,
                                        .fit = fit,
                                        .name = "moons.csv",
                                        .command = "mercer fit moons.csv --report r.html",
                                        .seed = 17});
  ASSERT_TRUE(page_is_sound(html));
  for (const char* id : {"data", "choice", "quality", "model", "kernel", "columns", "certificate", "examples",
                         "similar", "next", "again"})
    EXPECT_EQ(count(html, std::string("<section id=\"") + id + "\">"), 1u) << id;
  EXPECT_EQ(count(html, "There is no picture"), 0u);
  // Search, confusion, ROC, precision–recall, regions, Gram matrix, components, spectrum.
  EXPECT_EQ(count(html, "<figure"), 8u);
  EXPECT_EQ(count(html, "mercer fit moons.csv --report r.html"), 1u);
  EXPECT_EQ(count(html, "seed 17"), 1u);
  EXPECT_EQ(count(html, std::string("mercer ") + version()), 1u);
  EXPECT_EQ(count(html, "<li>more rows</li>"), 1u);
}

TEST(Report, OfNumbersHasResidualsAndACurve) {
  const Dataset data = generate("sine", {.n = 60});
  const AutomaticFit fit = learned(Ridge{.lambda = 1e-3}, "rbf(gamma=1)", data);
  const std::string html = report_page({.data = data, .fit = fit, .name = "sine.csv"});
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "There is no picture"), 0u);
  EXPECT_EQ(count(html, "Predicted and true"), 2u);
  EXPECT_EQ(count(html, "ROC"), 0u);
  EXPECT_EQ(count(html, "over the only column"), 1u);
}

TEST(Report, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = moons(80);
  const AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  EXPECT_EQ(report_page({.data = data, .fit = fit, .threads = 1}),
            report_page({.data = data, .fit = fit, .threads = 3}));
}

TEST(Report, EscapesNamesAndLabels) {
  Dataset data = moons(40);
  const std::string hostile = "<b>\"&'http://x";
  data.target.name = hostile;
  data.target.labels = {"</svg><script>1</script>", "]]>" + hostile};
  data.schema.target = hostile;
  Dense<double> values{data.rows(), 2, Buffer<double>(2 * data.rows())};
  for (std::size_t i = 0; i < data.rows(); ++i) data.points.copy_row(i, {values.values.data() + 2 * i, 2});
  data.points = Points(std::move(values), {hostile, "x2</table>"});
  data.notes = {"left out: <i>" + hostile};
  const std::string html = report_page({.data = data,
                                        .fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data),
                                        .name = hostile + ".csv",
                                        .command = "mercer fit '" + hostile + "' && rm"});
  EXPECT_EQ(count(html, "<script"), 0u);
  EXPECT_EQ(count(html, "<b>"), 0u);
  EXPECT_EQ(count(html, "<i>"), 0u);
  EXPECT_TRUE(well_formed(html.substr(html.find('\n') + 1)));
}

TEST(Report, StandsWithAFewRowsOnly) {
  const Dataset data{
      .points = Points({{0.0}, {1.0}, {3.0}, {4.0}}),
      .target = {.task = Task::classification, .name = "y", .labels = {"a", "b"}, .codes = {0, 0, 1, 1}}};
  AutomaticFit fit{.model = mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=1)"), data),
                   .search = {},
                   .metric = {},
                   .scored_on = {},
                   .score = {},
                   .baseline = {}};
  const std::string html = report_page({.data = data, .fit = fit});
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "<section id=\"quality\">"), 0u);
  EXPECT_EQ(count(html, "A model of") + count(html, "Predicting y in the data"), 2u);
}

TEST(Report, WithoutATargetShowsWhatThereIs) {
  const Dataset data{.points = moons(50).points};
  AutomaticFit fit{.model = mercer::fit(Pca{}, Kernel::parse("rbf(gamma=1)"), data),
                   .search = {},
                   .metric = {},
                   .scored_on = {},
                   .score = {},
                   .baseline = {}};
  const std::string html = report_page({.data = data, .fit = fit, .name = "points.csv"});
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "without a target"), 1u);
  EXPECT_EQ(count(html, "<section id=\"model\">"), 0u);
}

TEST(Report, StopsWhereItsReaderSaysSo) {
  const Dataset data = moons(40);
  const AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  EXPECT_EQ(refusal(ErrorKind::cancelled,
                    [&] {
                      report_page({.data = data, .fit = fit, .progress = [](std::string_view, double) {
                                     return false;
                                   }});
                    }),
            "stopped before the end");
}

TEST(Report, OfManyRowsIsBelowTwoMegabytes) {
  const Dataset data = moons(3000);
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  EXPECT_LT(report_page({.data = data, .fit = fit}).size(), 2'000'000u);
}

Dataset classes() {
  return {.points = Points({{0.0}, {1.0}, {2.0}, {6.0}, {7.0}}),
          .target = {.task = Task::classification,
                     .name = "home",
                     .labels = {"cage", "garden"},
                     .codes = {0, 0, 0, 1, 1}}};
}

AutomaticFit scored(const Dataset& data, Estimate score, Estimate base, const std::string& metric) {
  const bool of_classes = data.target.task == Task::classification;
  return {.model = of_classes ? fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=1)"), data)
                              : fit(Ridge{.lambda = 1}, Kernel::parse("linear"), data),
          .search = {},
          .metric = metric,
          .scored_on = "5-fold cross-validation",
          .score = score,
          .baseline = base};
}

std::string verdict(const Dataset& data, const AutomaticFit& fit) {
  Page page("t");
  add_verdict(page, {.data = data, .fit = fit});
  return page.html();
}

TEST(ReportVerdict, SaysWhatIsPredictedHowWellAndAgainstWhat) {
  const Dataset data = classes();
  const std::string html = verdict(data, scored(data, {0.932, 0.911, 0.949}, {0.6, 0.5, 0.7}, "accuracy"));
  for (const char* part :
       {"predicts “home”, one of 2 classes, from 1 column; it learned from 5 rows",
        "5-fold cross-validation, 93.2 % of unseen rows", "95 % interval 91.1 % to 94.9 %",
        "clearly better than always predicting “cage”", "gives 60.0 %", "<dd>5 × 1</dd>", "<dd>svm</dd>"})
    EXPECT_EQ(count(html, part), std::string_view(part).starts_with("95") ? 2u : 1u) << part;
}

TEST(ReportVerdict, IsNotBetterThanItIs) {
  const Dataset data = classes();
  EXPECT_EQ(count(verdict(data, scored(data, {0.65, 0.55, 0.75}, {0.6, 0.5, 0.7}, "accuracy")),
                  "not significantly better than"),
            1u);
  EXPECT_EQ(
      count(verdict(data, scored(data, {0.55, 0.45, 0.65}, {0.6, 0.5, 0.7}, "accuracy")), ": no better than"),
      1u);
}

TEST(ReportVerdict, OfErrorsLessIsBetter) {
  const Dataset data{.points = Points({{0.0}, {1.0}, {2.0}}),
                     .target = {.task = Task::regression, .name = "strength", .values = {1, 2, 4}}};
  const std::string html = verdict(data, scored(data, {4.25, 4, 5}, {16.5, 15, 18}, "rmse"));
  EXPECT_EQ(count(html,
                  "its rmse (root of the mean squared error) on unseen rows is 4.25 (95 % "
                  "interval 4 to 5): clearly better than always predicting the mean, which gives 16.5"),
            1u);
  EXPECT_EQ(count(verdict(data, scored(data, {17, 16, 18}, {16.5, 15, 18}, "rmse")), ": no better than"), 1u);
}

TEST(ReportVerdict, LeavesOutWhatWasNotJudged) {
  const Dataset data = classes();
  AutomaticFit fit = scored(data, {}, {}, "accuracy");
  fit.score.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(count(verdict(data, fit), "interval"), 0u);
}

TEST(ScoreText, IsPercentOfPartsOfRowsAndANumberOtherwise) {
  EXPECT_EQ(score_text("accuracy", 0.5), "50.0 %");
  EXPECT_EQ(score_text("rmse", 1234.567), "1235");
  EXPECT_EQ(score_text("r2", -0.5), "−0.5");
  EXPECT_EQ(score_text("auc", std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace mercer
