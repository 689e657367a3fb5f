#include "mercer/report.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "learned.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/pca.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "mercer/version.hpp"
#include "page_text.hpp"

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

}  // namespace
}  // namespace mercer
