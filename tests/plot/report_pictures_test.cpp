#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "learned.hpp"
#include "mercer/error.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/logistic.hpp"
#include "mercer/methods/svm.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"

namespace mercer {
namespace {

TEST(ReportPictures, AFaultIsASentenceAndACancelledOnePasses) {
  Page page("t");
  page.section("a", "A");
  add_picture(page, "the moon", "caption",
              []() -> std::string { throw Error(ErrorCode::invalid_data, "it is <new>"); });
  add_picture(page, "a box", "a caption", [] { return std::string("<svg width=\"10\"></svg>"); });
  EXPECT_EQ(refusal(ErrorKind::cancelled,
                    [&] {
                      add_picture(page, "x", "y",
                                  []() -> std::string { throw Error(ErrorCode::cancelled, "stop"); });
                    }),
            "stop");
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "There is no picture of the moon: it is &lt;new&gt;."), 1u);
  EXPECT_EQ(count(html, "<figcaption>a caption</figcaption>"), 1u);
}

TEST(ReportPictures, ProbabilitiesHaveACalibration) {
  const Dataset data = generate("moons", {.n = 60});
  for (const bool known : {false, true}) {
    AutomaticFit fit = learned(Logistic{}, "rbf(gamma=2)", data);
    if (!known) fit.predictions.probabilities.clear();
    Page page("t");
    add_quality(page, {.data = data, .fit = fit});
    const std::string html = page.html();
    ASSERT_TRUE(page_is_sound(html));
    EXPECT_EQ(count(html, "<figure"), known ? 4u : 3u);
    EXPECT_EQ(count(html, "<td>log_loss</td>"), known ? 1u : 0u);
  }
}

TEST(ReportPictures, MetricsStandBesideTheBaseline) {
  const Dataset data{
      .points = Points({{0.0}, {1.0}, {2.0}, {3.0}}),
      .target = {.task = Task::classification, .name = "y", .labels = {"a", "b"}, .codes = {0, 0, 0, 1}}};
  AutomaticFit fit{.model = mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=1)"), data),
                   .search = {},
                   .metric = "accuracy",
                   .scored_on = "4 test rows",
                   .score = {},
                   .baseline = {},
                   .scored = data};
  fit.predictions = {.codes = {0, 0, 1, 1}, .values = {}, .probabilities = {}, .scores = {-1, -1, 0.5, 1}};
  Page page("t");
  add_quality(page, {.data = data, .fit = fit});
  const std::string html = page.html();
  EXPECT_EQ(count(html, "<td>accuracy</td><td class=\"number\">75.0 %</td><td class=\"number\">75.0 %</td>"),
            1u);
  EXPECT_EQ(
      count(html,
            "<td>balanced_accuracy</td><td class=\"number\">83.3 %</td><td class=\"number\">50.0 %</td>"),
      1u);
  EXPECT_EQ(count(html, "<td>auc</td><td class=\"number\">1</td><td class=\"number\">0.5</td>"), 1u);
}

TEST(ReportPictures, TheModelIsDrawnOverTheColumnsThatMatterMost) {
  Dataset data{
      .points = Points({{0, 0, 5, 1}, {1, 3, 5, 0}, {2, 1, 6, 1}, {3, 2, 7, 0}, {4, 9, 9, 1}, {5, 8, 8, 0}}),
      .target = {
          .task = Task::classification, .name = "y", .labels = {"a", "b"}, .codes = {0, 1, 0, 1, 0, 1}}};
  Dense<double> values{6, 4, Buffer<double>(24)};
  for (std::size_t i = 0; i < 6; ++i) data.points.copy_row(i, {values.values.data() + 4 * i, 4});
  // The second column is found by its number.
  data.points = Points(std::move(values), {"same", "same", "length", "width"});
  const AutomaticFit fit{.model = mercer::fit(Svm{.C = 1}, Kernel::parse("rbf(gamma=1)"), data),
                         .search = {},
                         .metric = {},
                         .scored_on = {},
                         .score = {},
                         .baseline = {}};
  const auto drawn = [&](const std::vector<ColumnInfluence>& influences) {
    Page page("t");
    add_model_pictures(page, {.data = data, .fit = fit}, influences);
    return page.html();
  };
  // In the note, and in the description.
  EXPECT_EQ(count(drawn({{1, "same", 2, 0.5}, {3, "width", 1, 0.5}}), "a slice along same and width"), 2u);
  EXPECT_EQ(count(drawn({{3, "width", 2, 0.5}, {2, "length", 1, 0.5}}), "a slice along width and length"),
            2u);
  EXPECT_EQ(count(drawn({}), "the most important columns"), 2u);  // the picture finds its own
}

TEST(ReportPictures, OfManyClassesThereAreNoCurves) {
  const Dataset data = generate("histograms", {.n = 140});
  Page page("t");
  add_quality(page, {.data = data, .fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data)});
  EXPECT_EQ(count(page.html(), "<figure"), 1u);
}

}  // namespace
}  // namespace mercer
