#include "mercer/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/folds.hpp"
#include "mercer/methods.hpp"
#include "mercer/metrics.hpp"
#include "model_selection/tune_steps.hpp"

namespace mercer {
namespace {

Dataset tuned_rings(std::size_t n, std::size_t classes = 2) {
  Random random(11);
  Dataset data;
  data.target.task = Task::classification;
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::string(1, char('a' + c)));
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = 1 + double(i % classes) + 0.3 * random.normal(),
                 angle = random.uniform(0, 6.2831853);
    rows.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    data.target.codes.push_back(std::int32_t(i % classes));
  }
  data.points = Points(rows);
  return data;
}

const Kernel rbf = Kernel::parse("rbf(gamma=1)");

SearchSpace grid() { return {Svm{}, rbf, {{"C", {0.1, 1, 10}}, {"gamma", {0.01, 1}}}}; }

TEST(Tune, JudgesEverySettingByFoldsAndFindsTheBest) {
  const Dataset data = tuned_rings(90);
  const auto fold = random_folds(data.target, 3, 1);
  const Search search = tune({grid()}, data, {.fold = fold, .fit = {.threads = 1}});
  ASSERT_EQ(search.trials.size(), 6u);
  const Metric accuracy = metric_named("accuracy");
  double best = 0;
  for (const Trial& trial : search.trials) {
    const Predictions p = cross_validate(trial.method, trial.kernel, data, fold, {.threads = 1});
    double sum = 0, squares = 0;
    for (std::size_t f = 0; f < 3; ++f) {
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < fold.size(); ++i)
        if (fold[i] == f) rows.push_back(i);
      const double score = measure(accuracy, data.target, p, rows);
      sum += score;
      squares += score * score;
    }
    EXPECT_NEAR(trial.score, sum / 3, 1e-12);
    EXPECT_NEAR(trial.error, std::sqrt(std::max(0.0, squares / 3 - sum * sum / 9) / 2), 1e-9);
    best = std::max(best, trial.score);
  }
  EXPECT_EQ(search.trials[search.best].score, best);
  // In the order of the data's rows.
  EXPECT_NEAR(measure(accuracy, data.target, search.held_out), best, 0.02);
}

TEST(Tune, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = tuned_rings(200, 3);
  const Search one = tune({grid()}, data, {.rows_at_first = 60, .fit = {.threads = 1}}),
               two = tune({grid()}, data, {.rows_at_first = 60, .fit = {.threads = 2}});
  ASSERT_EQ(one.trials.size(), two.trials.size());
  for (std::size_t t = 0; t < one.trials.size(); ++t) EXPECT_EQ(one.trials[t].score, two.trials[t].score);
  EXPECT_EQ(one.best, two.best);
}

TEST(Tune, JudgesTheBetterSettingsOnMoreRows) {
  const SearchSpace space{Svm{}, rbf, {{"C", {0.01, 0.1, 1, 10, 100}}, {"gamma", {0.001, 0.03, 1, 30}}}};
  const Search search =
      tune({space}, tuned_rings(400), {.rows_at_first = 50, .rows_at_most = 300, .fit = {.threads = 1}});
  std::vector<std::size_t> rows;
  for (const Trial& trial : search.trials)
    if (rows.empty() || rows.back() != trial.rows) rows.push_back(trial.rows);
  EXPECT_EQ(rows, (std::vector<std::size_t>{50, 200, 300}));
  EXPECT_EQ(search.trials[search.best].rows, 300u);
  EXPECT_LT(search.trials.size(), 20u + 6 + 5);
  EXPECT_TRUE(search.held_out.codes.empty());
}

TEST(Tune, TakesTheMeanOverRepeats) {
  const Dataset data = tuned_rings(60);
  const SearchSpace space{Svm{}, rbf};
  double sum = 0;
  for (const std::uint64_t seed : {5, 6})
    sum += tune({space}, data, {.folds = 4, .fit = {.threads = 1, .seed = seed}}).trials[0].score;
  EXPECT_NEAR(
      tune({space}, data, {.folds = 4, .repeats = 2, .fit = {.threads = 1, .seed = 5}}).trials[0].score,
      sum / 2, 1e-12);
}

TEST(Tune, PassesOverSettingsThatCannotBeFitted) {
  Dataset data = tuned_rings(40);
  const SearchSpace space{Svm{}, Kernel::parse("poly(degree=200, scale=1)"), {{"scale", {0.01, 1e9}}}};
  const Search search = tune({space}, data, {.fit = {.threads = 1}});
  EXPECT_EQ(search.trials.size(), 1u);
  EXPECT_EQ(search.trials[0].values[0], 0.01);
  EXPECT_EQ(search.planned, 2u);
  EXPECT_EQ(search.failed, 1u);
  EXPECT_EQ(search.evaluated(), 1u);
}

// What is judged on some rows and again on more is one candidate; the fraction done only grows, and is never
// beyond its range.
TEST(Tune, CountsCandidatesOnceAndTellsHowFarItIs) {
  TuneOptions options{.rows_at_first = 40, .fit = {.threads = 1}};
  std::vector<double> fractions;
  options.fit.progress = [&](std::string_view what, double fraction) {
    EXPECT_NE(what.find("candidates"), what.find("again"));
    fractions.push_back(fraction);
    return true;
  };
  const SearchSpace space{Svm{}, rbf, {{"gamma", {0.01, 0.1, 1, 2, 3, 4, 5, 6}}}};
  const Search search = tune({space}, tuned_rings(160), options);
  EXPECT_EQ(search.planned, 8u);
  EXPECT_EQ(search.evaluated(), 8u);
  EXPECT_GT(search.trials.size(), 8u);
  EXPECT_FALSE(search.interrupted);
  EXPECT_EQ(search.folds, 5u);
  for (const double fraction : fractions) EXPECT_TRUE(fraction >= 0 && fraction <= 1) << fraction;
}

TEST(Tune, SaysWhereSingleRowsWereLeftOut) {
  Dataset data = tuned_rings(40);
  data.target = {.task = Task::regression, .values = std::vector<double>(40, 0)};
  for (std::size_t i = 0; i < 40; ++i) data.target.values[i] = double(i % 5);
  const SearchSpace space{Ridge{}, rbf, {{"tau2", {0.1, 1}}}};
  EXPECT_TRUE(tune({space}, data, {.fit = {.threads = 1}}).trials[0].leave_one_out);
  EXPECT_FALSE(tune({{Svm{}, rbf, {{"C", {1, 2}}}}}, tuned_rings(40), {.fit = {.threads = 1}})
                   .trials[0]
                   .leave_one_out);
}

TEST(Tune, KeepsTheBestWhenItIsStopped) {
  int asked = 0;
  TuneOptions options{.fit = {.threads = 1}};
  options.fit.progress = [&](std::string_view, double) { return ++asked < 4; };
  const SearchSpace space{Svm{}, rbf, {{"gamma", {0.01, 0.1, 1, 2, 3, 4, 5, 6}}}};
  const Search search = tune({space}, tuned_rings(60), options);
  EXPECT_TRUE(search.cut_short);
  EXPECT_TRUE(search.interrupted);
  EXPECT_GE(search.trials.size(), 1u);
  EXPECT_EQ(search.planned, 8u);
  EXPECT_EQ(search.evaluated(), search.trials.size());
  EXPECT_LT(search.trials.size(), 8u);
  options.fit.progress = [](std::string_view, double) { return false; };
  EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { tune({space}, tuned_rings(60), options); }),
            "stopped before the end");
}

TEST(Tune, RefusesWhatCannotBeJudged) {
  const auto says = [](const Dataset& data, const TuneOptions& options, ErrorKind kind,
                       const std::string& part) {
    EXPECT_NE(refusal(kind,
                      [&] {
                        tune({{Svm{}, rbf}}, data, options);
                      })
                  .find(part),
              std::string::npos)
        << part;
  };
  says(tuned_rings(1), {}, ErrorKind::data, "one row");
  says(tuned_rings(10), {.folds = 1}, ErrorKind::usage, "two folds or more");
  says(tuned_rings(10), {.fold = {0, 1}}, ErrorKind::usage, "for 2 rows, but there are 10");
  says(tuned_rings(3), {.fold = {1, 1, 1}}, ErrorKind::usage, "same fold");
  says(tuned_rings(10), {.metric = "rmse"}, ErrorKind::usage, "rmse is a metric of numbers");
  says(tuned_rings(10), {.metric = "acuracy"}, ErrorKind::usage, "accuracy");
  Dataset none = tuned_rings(10);
  none.target = {};
  says(none, {}, ErrorKind::data, "have none");
}

TEST(Rungs, HaveFourTimesAsManyRowsEachUpToTheMost) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(rungs(300, {}), Sizes{300});
  EXPECT_EQ(rungs(20'000, {.rows_at_first = 1000, .rows_at_most = 8000}), (Sizes{1000, 4000, 8000}));
  EXPECT_EQ(rungs(600, {.rows_at_first = 1000, .rows_at_most = 8000}), Sizes{600});
  EXPECT_EQ(rungs(5000, {.rows_at_first = 1000}), (Sizes{1000, 4000, 5000}));
}

TEST(Rungs, KeepTheBetterQuarterButFour) {
  EXPECT_EQ(kept_of(100), 25u);
  EXPECT_EQ(kept_of(9), 4u);
  EXPECT_EQ(kept_of(3), 3u);
}

TEST(Rungs, LaterOnesTakeTimeForThoseThatAreKept) {
  CostModel cost(5);
  std::vector<CandidateLine> lines;
  for (int i = 0; i < 16; ++i)
    lines.push_back({.space = 0,
                     .method = Svm{},
                     .kernel = Kernel::parse("linear"),
                     .values = {},
                     .parameter = "C",
                     .path = {1}});
  cost.add(lines[0], 1000, 1);
  EXPECT_DOUBLE_EQ(seconds_of_later_rungs(cost, lines, {1000, 4000}, 0), 4 * cost.seconds(lines[0], 4000));
  EXPECT_EQ(seconds_of_later_rungs(cost, lines, {1000, 4000}, 1), 0);
}

Dataset four_rows() {
  Dataset data;
  data.points = Points(std::vector<std::vector<double>>{{0}, {1}, {2}, {3}});
  data.target = {.task = Task::classification, .labels = {"a", "b"}, .codes = {0, 1, 0, 1}};
  return data;
}

TEST(OnlyCandidate, IsTakenAsItIs) {
  const Dataset data = four_rows();
  const auto search =
      only_candidate({{Svm{.C = 3}, Kernel::parse("rbf(gamma=scale)")}}, data, data.points, {});
  ASSERT_TRUE(search.has_value());
  ASSERT_EQ(search->trials.size(), 1u);
  EXPECT_TRUE(search->trials[0].kernel.resolved());
  EXPECT_EQ(search->trials[0].rows, 0u);
  EXPECT_TRUE(std::isnan(search->trials[0].score));
  EXPECT_EQ(search->planned, 1u);
  EXPECT_EQ(search->evaluated(), 0u);
  EXPECT_EQ(search->metric, "accuracy");
}

TEST(OnlyCandidate, IsNoneOfSeveral) {
  const Dataset data = four_rows();
  const SearchSpace one{Svm{}, Kernel::parse("linear")};
  EXPECT_FALSE(only_candidate({one, one}, data, data.points, {}));
  EXPECT_FALSE(only_candidate({{Svm{}, Kernel::parse("linear"), {{"C", {1, 2}}}}}, data, data.points, {}));
}

TEST(OnlyCandidate, RefusesWhatASearchRefuses) {
  const Dataset data = four_rows();
  const std::vector<SearchSpace> spaces{{Svm{}, Kernel::parse("linear")}};
  const auto says = [&](const TuneOptions& options) {
    return refusal(ErrorKind::usage, [&] { only_candidate(spaces, data, data.points, options); });
  };
  EXPECT_NE(says({.metric = "rmse"}).find("metric of numbers"), std::string::npos);
  EXPECT_NE(says({.fold = {0, 1}}).find("for 2 rows"), std::string::npos);
}

}  // namespace
}  // namespace mercer
