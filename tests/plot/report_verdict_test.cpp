#include <gtest/gtest.h>

#include <limits>

#include "learned.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"

namespace mercer {
namespace {

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
        "5-fold cross-validation, 93.2 % of rows", "95 % interval 91.1 % to 94.9 %",
        "clearly better than always answering “cage”", "gives 60.0 %", "<dd>5 × 1</dd>", "<dd>svm</dd>"})
    EXPECT_EQ(count(html, part), std::string_view(part).starts_with("95") ? 2u : 1u) << part;
}

TEST(ReportVerdict, IsNotBetterThanItIs) {
  const Dataset data = classes();
  EXPECT_EQ(count(verdict(data, scored(data, {0.65, 0.55, 0.75}, {0.6, 0.5, 0.7}, "accuracy")),
                  "not surely better than"),
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
                  "its rmse (root of the mean squared error) on rows that it had not seen is 4.25 (95 % "
                  "interval 4 to 5): clearly better than always answering the mean, which gives 16.5"),
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
