#include "model_selection/candidate_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "mercer/methods.hpp"
#include "mercer/tune.hpp"

namespace mercer {
namespace {

const Points four_points({{0, 1}, {2, 0}, {1, 1}});

TEST(SettingLines, AreTheProductOfTheAxesWithThePathApart) {
  const SearchSpace space{Svm{}, Kernel::parse("rbf(gamma=1)"), {{"C", {10, 1, 1}}, {"gamma", {0.5, 2}}}};
  const auto lines = candidate_lines({space}, four_points);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].kernel.text(), "rbf(gamma=0.5)");
  EXPECT_EQ(lines[1].kernel.text(), "rbf(gamma=2)");
  EXPECT_EQ(lines[1].path, (std::vector<double>{1, 10}));
  const Trial trial = lines[1].at(1);
  EXPECT_EQ(trial.values, (std::vector<double>{10, 2}));
  EXPECT_EQ(std::get<double>(trial.method->get("C")), 10);
}

TEST(SettingLines, OfAMethodWithoutAPathAreSingleSettings) {
  const SearchSpace space{
      Svr{}, Kernel::parse("rbf(gamma=1) + 0.1*linear"), {{"epsilon", {0.1, 0.2}}, {"factor", {0.5, 1, 2}}}};
  const auto lines = candidate_lines({space}, four_points);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[4].kernel.text(), "rbf(gamma=1) + 1*linear");
  EXPECT_EQ(std::get<double>(lines[4].at(0).method->get("epsilon")), 0.2);
}

TEST(SettingLines, WithoutAxesAreTheMethodAsItIs) {
  const auto lines = candidate_lines({{Svm{.C = 7}, Kernel::parse("rbf(gamma=scale)")}}, four_points);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].kernel.resolved());
  EXPECT_EQ(lines[0].path, std::vector<double>{7});
}

TEST(SettingLines, TellTheMethodsLambdaFromTheKernels) {
  const SearchSpace space{
      Ridge{}, Kernel::parse("laplace(lambda=1)"), {{"laplace.lambda", {3}}, {"lambda", {0.1}}}};
  const auto lines = candidate_lines({space}, four_points);
  EXPECT_EQ(lines[0].kernel.text(), "laplace(lambda=3)");
  EXPECT_EQ(std::get<double>(lines[0].at(0).method->get("lambda")), 0.1);
}

TEST(SettingLines, LeaveWeightsThatAFitLearns) {
  const auto lines =
      candidate_lines({{Svm{}, Kernel::parse("mkl(rbf(gamma=1), linear)"), {{"C", {1, 2}}}}}, four_points);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].kernel.text(), "mkl(rbf(gamma=1), linear)");
}

TEST(SettingLines, RefuseWhatCannotBe) {
  const Kernel rbf = Kernel::parse("rbf(gamma=1)");
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      candidate_lines({{Svm{}, rbf, {{"sigma", {1}}}}}, four_points);
                    })
                .find("neither svm nor rbf(gamma=1) has such a number; they have C, lambda, gamma"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      candidate_lines({{Svm{}, rbf, {{"C", {-1}}}}}, four_points);
                    })
                .find("C must be > 0"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      candidate_lines({{Svm{}, rbf, {{"C", {}}}}}, four_points);
                    })
                .find("no value"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      candidate_lines({{Svm{}, rbf, {{"gamma", {-1}}}}}, four_points);
                    })
                .find("gamma"),
            std::string::npos);
  const std::vector<double> many(400, 1);
  EXPECT_NE(
      refusal(
          ErrorKind::usage,
          [&] {
            candidate_lines({{Svr{}, rbf, {{"C", many}, {"epsilon", many}, {"gamma", many}}}}, four_points);
          })
          .find("over 100000"),
      std::string::npos);
}

TEST(ParseAxis, StepsThroughExponents) {
  const GridAxis axis = parse_axis("C=2^-5:2^15:2");
  EXPECT_EQ(axis.parameter, "C");
  ASSERT_EQ(axis.values.size(), 11u);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(axis.values[std::size_t(i)], std::pow(2.0, -5 + 2 * i));
  EXPECT_EQ(parse_axis("rbf.gamma=10^-1:10^0:0.5").values,
            (std::vector<double>{std::pow(10, -1.0), std::pow(10, -0.5), 1}));
  EXPECT_EQ(parse_axis("C=2^3:2^1:-1").values, (std::vector<double>{8, 4, 2}));
}

TEST(ParseAxis, StepsThroughNumbersAndReadsLists) {
  EXPECT_EQ(parse_axis("epsilon=0.1:0.3:0.1").values.size(), 3u);
  EXPECT_EQ(parse_axis("C=1,10,2^10").values, (std::vector<double>{1, 10, 1024}));
  EXPECT_EQ(parse_axis("C=7").values, std::vector<double>{7});
}

TEST(ParseAxis, RefusesWhatCannotBeMeant) {
  for (const auto& [text, part] : {std::pair{"C", "name"},
                                   {"=1", "name"},
                                   {"C=", "'' is not a number"},
                                   {"C=1:2", "a step"},
                                   {"C=1:2:0", "does not lead"},
                                   {"C=1:2:-1", "does not lead"},
                                   {"C=2^1:3^2:1", "same number"},
                                   {"C=2^1:8:1", "same number"},
                                   {"C=x,1", "'x'"},
                                   {"C=1:1e9:1", "over 1000"},
                                   {"C=1,,2", "''"},
                                   {"C=inf", "'inf'"},
                                   {"C=-2^1:-2^3:1", "base"},
                                   {"C=2^5000", "overflows"}})
    EXPECT_NE(refusal(ErrorKind::usage, [&] { parse_axis(text); }).find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace mercer
