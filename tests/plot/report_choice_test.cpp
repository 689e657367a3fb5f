#include <gtest/gtest.h>

#include "learned.hpp"
#include "mercer/generate.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "page_text.hpp"
#include "plot/report_parts.hpp"

namespace mercer {
namespace {

template <class Add>
std::string choice_page(const Dataset& data, const AutomaticFit& fit, const Add& add) {
  Page page("t");
  add(page, ReportInput{.data = data, .fit = fit});
  return page.html();
}

TEST(ReportChoice, NamesMethodKernelNumbersAndScaling) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=0.123456789)", data, Scaling::Kind::standard);
  fit.notes = {"the classes are even"};
  const std::string html = choice_page(data, fit, add_choice);
  ASSERT_TRUE(page_is_sound(html));
  for (const char* part :
       {"svm: support vector classification", "<td>C = 10</td>", "<td>rbf(gamma=0.1235)</td>",
        "mean 0 and standard deviation 1", "<li>the classes are even</li>", "2 candidates were evaluated"})
    EXPECT_EQ(count(html, part), 1u) << part;
  EXPECT_EQ(count(html, "<figure"), 1u);
}

TEST(ReportChoice, ShowsTheBestSettingOfEachSpaceTheChosenOneFirst) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  Search& s = fit.search;
  const Kernel line = Kernel::parse("linear");
  s.spaces.push_back({Svm{}, line});
  s.trials.push_back({1, {}, Svm{.C = 3}, line, 30, 0.99, 0.01});  // on half of the rows: does not compare
  s.trials.push_back({1, {}, Svm{.C = 4}, line, 60, 0.5, 0.01});
  s.trials.push_back({1, {}, Svm{.C = 5}, line, 60, 0.4, 0.01});
  s.spaces.push_back({Svm{}, Kernel::parse("cosine")});
  s.trials.push_back({2, {}, Svm{.C = 6}, Kernel::parse("cosine"), 30, 0.98, 0.01});
  const std::string html = choice_page(data, fit, add_choice);
  ASSERT_TRUE(page_is_sound(html));
  const std::size_t chosen = html.find("75.0 %"), second = html.find("50.0 %"), third = html.find("98.0 %");
  EXPECT_LT(chosen, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
  for (const char* absent : {"99.0 %", "40.0 %", "25.0 %"}) EXPECT_EQ(count(html, absent), 0u) << absent;
  EXPECT_EQ(count(html, "were dropped early"), 1u);
}

TEST(ReportChoice, DrawsTheGridWithoutTheSettingsBetween) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  Search& s = fit.search;
  const Trial one = s.trials[0];
  s.spaces[0].axes = {{"C", {1, 10}}, {"rbf.gamma", {1, 2, 4}}};
  s.trials.clear();
  for (const double c : {1, 10})
    for (const double gamma : {1, 2, 4})
      s.trials.push_back({0, {c, gamma}, one.method, one.kernel, 60, 0.5 + 0.01 * c + 0.001 * gamma, 0.01});
  s.best = 5;
  EXPECT_EQ(count(choice_page(data, fit, add_choice), "between those drawn"), 0u);
  s.trials.push_back({0, {10, 3}, one.method, one.kernel, 60, 0.875, 0.01});
  s.best = 6;
  const std::string html = choice_page(data, fit, add_choice);
  EXPECT_EQ(count(html, "between those drawn"), 1u);
  EXPECT_EQ(count(html, "have no score"), 0u);
  // In the note, and in the description.
  EXPECT_EQ(count(html, "best: accuracy 0.604 at C = 10, rbf.gamma = 4"), 2u);
  EXPECT_EQ(count(html, "<td class=\"number\">87.5 %</td>"), 1u);  // the table has the chosen one
}

TEST(ReportChoice, OfErrorsTheSmallestIsTheBest) {
  const Dataset data = generate("sine", {.n = 40});
  AutomaticFit fit = learned(Ridge{}, "rbf(gamma=1)", data);
  fit.search.spaces = {{Ridge{}, Kernel::parse("rbf(gamma=1)")}, {Ridge{}, Kernel::parse("linear")}};
  fit.search.trials = {{0, {}, Ridge{}, Kernel::parse("rbf(gamma=1)"), 40, 0.125, 0},
                       {1, {}, Ridge{}, Kernel::parse("linear"), 40, 0.625, 0},
                       {1, {}, Ridge{}, Kernel::parse("linear"), 40, 0.875, 0}};
  fit.search.best = 0;
  const std::string html = choice_page(data, fit, add_choice);
  EXPECT_EQ(count(html, ">0.625<"), 1u);
  EXPECT_EQ(count(html, ">0.875<"), 0u);
  EXPECT_EQ(count(html, "<figure"), 0u);  // no axis was searched
}

TEST(ReportCertificate, SaysHowNearTheFitIsToTheOptimum) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticFit fit = learned(Svm{.C = 10}, "rbf(gamma=2)", data);
  FitReport& r = fit.model.fitted.report;
  r.violation = 4e-4, r.tolerance = 1e-3, r.gap = 0.0125, r.iterations = 321, r.support_vectors = 17,
  r.bounded_support_vectors = 5;
  r.add("evidence", "evidence", -12.5);
  r.warnings = {"a <warning>"};
  std::string html = choice_page(data, fit, add_certificate);
  ASSERT_TRUE(page_is_sound(html));
  for (const char* part :
       {"reached: the solution", "0.0004 (tolerance 0.001)", ">0.0125<", ">321<",
        "17 of 60 rows, 5 of them at the bound", "<td>evidence</td><td>−12.5</td>", "a &lt;warning&gt;"})
    EXPECT_EQ(count(html, part), 1u) << part;
  r.converged = false;
  EXPECT_EQ(count(choice_page(data, fit, add_certificate), ">not reached<"), 1u);
  r.cut_short = true;
  EXPECT_EQ(count(choice_page(data, fit, add_certificate), "cut short"), 1u);
}

}  // namespace
}  // namespace mercer
