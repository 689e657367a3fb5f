#include "mercer/automatic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/methods.hpp"

namespace mercer {
namespace {

Dataset rings(std::size_t n, std::uint64_t seed = 11) {
  Random random(seed);
  Dataset data;
  data.target = {.task = Task::classification, .labels = {"in", "out"}};
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = 1 + double(i % 2) + 0.2 * random.normal(), angle = random.uniform(0, 6.2831853);
    rows.push_back({100 * radius * std::cos(angle), radius * std::sin(angle)});
    data.target.codes.push_back(std::int32_t(i % 2));
  }
  data.points = Points(rows);
  return data;
}

Dataset waves(std::size_t n) {
  Random random(5);
  Dataset data;
  data.target.task = Task::regression;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
    data.target.values.push_back(20 + std::sin(2 * rows.back()[0]) + 0.1 * random.normal());
  }
  data.points = Points(rows);
  return data;
}

AutomaticOptions one_thread() {
  AutomaticOptions options;
  options.tune.fit.threads = 1;
  return options;
}

TEST(FitAutomatically, FindsAKernelThatSeparatesWhatALineDoesNot) {
  const AutomaticFit made = fit_automatically(rings(150), one_thread());
  EXPECT_EQ(made.model.method->name(), "svm");
  EXPECT_EQ(made.model.scaling.kind(), Scaling::Kind::standard);
  EXPECT_EQ(made.metric, "accuracy");
  EXPECT_GT(made.score.value, 0.95);
  EXPECT_NEAR(made.baseline.value, 0.5, 0.01);
  EXPECT_LE(made.score.low, made.score.value);
  EXPECT_GE(made.score.high, made.score.value);
  EXPECT_EQ(made.scored_on, "5-fold cross-validation");
  EXPECT_EQ(made.model.rows, 150u);
  EXPECT_EQ(made.predictions.codes.size(), 150u);
  EXPECT_NEAR(measure(metric_named("accuracy"), made.scored.target, made.predictions), made.score.value,
              1e-12);
}

TEST(FitAutomatically, LearnsNumbers) {
  const AutomaticFit made = fit_automatically(waves(200), one_thread());
  EXPECT_EQ(made.model.method->name(), "ridge");
  EXPECT_LT(made.score.value, 0.2);
  EXPECT_GT(made.baseline.value, 0.6);
}

TEST(FitAutomatically, JudgesOnRowsHeldOutOrOnATestSet) {
  AutomaticOptions options = one_thread();
  options.holdout = 0.25;
  const AutomaticFit held = fit_automatically(rings(160), options);
  EXPECT_EQ(held.scored_on, "40 rows held out");
  EXPECT_EQ(held.scored.rows(), 40u);
  EXPECT_EQ(held.model.rows, 160u);
  EXPECT_EQ(std::ranges::count(held.scored.target.codes, 0), 20);  // as many of each class
  const Dataset test = rings(70, 3);
  options.holdout = 0;
  options.test = &test;
  const AutomaticFit tested = fit_automatically(rings(160), options);
  EXPECT_EQ(tested.scored_on, "70 test rows");
  EXPECT_GT(tested.score.value, 0.9);
}

// Chosen on a sample, fitted once within the memory, and scored on rows that had no part in either.
TEST(FitAutomatically, FitsManyRowsWithinTheMemory) {
  AutomaticOptions options;
  options.method = Ridge{};
  options.kernel = Kernel::parse("rbf(gamma=1)");
  options.tune.fit.memory = 150'000'000;
  const Dataset data = waves(340'000);
  const AutomaticFit made = fit_automatically(data, options);
  EXPECT_EQ(made.scored_on, "20000 rows held out");
  EXPECT_EQ(made.scored.rows(), 20'000u);
  EXPECT_EQ(made.model.rows, 320'000u);
  EXPECT_EQ(made.model.fitted.report.plan.way, FitPlan::Way::primal);
  EXPECT_LT(made.model.fitted.expansion.points.rows(), 2000u);
  EXPECT_NE(said(made.model.fitted.report.warnings).front().find("the kernel is approximated by nystrom:"),
            std::string::npos);
  EXPECT_LE(made.search.trials[made.search.best].rows, 8000u);
  EXPECT_LT(made.score.value, 0.2);
}

TEST(FitAutomatically, HoldsOutTheShareThatWasAskedFor) {
  const Dataset data = rings(300);
  AutomaticOptions options = one_thread();
  options.search = false;
  options.method = Svm{};
  options.kernel = Kernel::parse("rbf(gamma=1)");
  for (const double part : {0.01, 0.1, 0.15, 0.2, 0.25, 0.3, 1.0 / 3, 0.499, 0.6, 0.7, 0.95}) {
    options.holdout = part;
    const AutomaticFit held = fit_automatically(data, options);
    EXPECT_EQ(held.scored.rows(), std::size_t(std::lround(part * 300))) << part;
    const double first = double(std::ranges::count(data.target.codes, 0));
    EXPECT_NEAR(double(std::ranges::count(held.scored.target.codes, 0)), part * first, 1) << part;
  }
}

// A class keeps a row to learn from.
TEST(FitAutomatically, HoldsOutNoClassWhole) {
  Dataset data = rings(60);
  for (int rare = 0; rare < 8; ++rare) {
    data.target.labels.push_back("rare" + std::to_string(rare));
    data.target.codes[std::size_t(7 * rare)] = std::int32_t(2 + rare);
  }
  AutomaticOptions options = one_thread();
  options.search = false;
  options.method = Svm{};
  options.kernel = Kernel::parse("rbf(gamma=1)");
  for (const double part : {0.2, 0.5, 0.8}) {
    options.holdout = part;
    const AutomaticFit held = fit_automatically(data, options);
    EXPECT_EQ(held.scored.rows(), std::size_t(std::lround(part * 60))) << part;
    EXPECT_EQ(std::ranges::count_if(held.scored.target.codes, [](std::int32_t code) { return code > 1; }), 0)
        << part;
    EXPECT_EQ(held.model.labels.size(), 10u);
  }
}

TEST(FitAutomatically, CountsClassesThatItCannotKnowAsErrors) {
  const Dataset data = rings(160);
  Dataset test = rings(40, 3);
  test.target.labels.push_back("new");
  for (std::size_t i = 0; i < 10; ++i) test.target.codes[i] = 2;
  AutomaticOptions options = one_thread();
  options.search = false;
  options.method = Svm{};
  options.kernel = Kernel::parse("rbf(gamma=1)");
  options.test = &test;
  for (const char* metric : {"accuracy", "auc", "balanced_accuracy"}) {
    options.tune.metric = metric;
    const AutomaticFit made = fit_automatically(data, options);
    EXPECT_LE(made.score.value, std::string(metric) == "auc" ? 1 : 0.75);
    ASSERT_EQ(made.notes.size(), 1u);
    EXPECT_EQ(made.notes[0].said(),
              "10 of 40 rows to judge on are of a class that no row to learn from has ('new'); they count as "
              "errors");
  }
}

// The search has judged the setting on the given folds already, unless the scaling is to be fitted in each of
// them.
TEST(FitAutomatically, JudgesOnGivenFolds) {
  const Dataset data = rings(150);
  AutomaticOptions options = one_thread();
  options.method = AnyMethod(Svm{});
  options.kernel = Kernel::parse("rbf(gamma=0.5)");
  for (std::size_t i = 0; i < 150; ++i) options.tune.fold.push_back(1 + i % 3);
  for (const auto scaling : {Scaling::Kind::none, Scaling::Kind::standard}) {
    options.scaling = scaling;
    const AutomaticFit made = fit_automatically(data, options);
    EXPECT_EQ(made.scored_on, "3-fold cross-validation");
    const Trial& best = made.search.trials[made.search.best];
    const Predictions again =
        cross_validate(best.method, best.kernel, data, options.tune.fold, options.tune.fit, scaling);
    EXPECT_EQ(made.predictions.codes, again.codes);
    EXPECT_EQ(made.predictions.scores == made.search.held_out.scores, scaling == Scaling::Kind::none);
  }
}

TEST(FitAutomatically, LeavesAloneWhatIsGiven) {
  AutomaticOptions options = one_thread();
  options.search = false;
  options.method = Svm{.C = 3};
  options.kernel = Kernel::parse("rbf(gamma=scale)");
  const AutomaticFit made = fit_automatically(rings(60), options);
  EXPECT_EQ(made.search.trials.size(), 1u);
  EXPECT_EQ(made.model.scaling.kind(), Scaling::Kind::none);
  EXPECT_EQ(std::get<double>(made.model.method->get("C")), 3);
  options = one_thread();
  options.kernel = Kernel::parse("rbf(gamma=0.5)");
  const AutomaticFit tuned = fit_automatically(rings(60), options);
  EXPECT_EQ(tuned.model.kernel().text(), "rbf(gamma=0.5)");
  EXPECT_GT(tuned.search.trials.size(), 3u);
  options = one_thread();
  options.axes = {{"C", {1, 10}}, {"gamma", {1, 2}}};
  const AutomaticFit grid = fit_automatically(rings(60), options);
  EXPECT_EQ(grid.search.trials.size(), 4u);
}

TEST(FitAutomatically, TakesAFewRowsAndRareClasses) {
  EXPECT_EQ(fit_automatically(rings(6), one_thread()).model.rows, 6u);
  Dataset rare = rings(31);
  rare.target.labels.push_back("rare");
  rare.target.codes[30] = 2;
  const AutomaticFit made = fit_automatically(rare, one_thread());
  EXPECT_EQ(made.model.labels.size(), 3u);
  EXPECT_EQ(fit_automatically(waves(3), one_thread()).model.rows, 3u);
  EXPECT_NE(refusal(ErrorKind::data, [] { fit_automatically(rings(1), one_thread()); }).find("one row"),
            std::string::npos);
}

TEST(FitAutomatically, MakesSparseRowsDenseAndTakesSparseOnesToPredict) {
  Dataset data = waves(80);
  data.points = data.points.to_sparse();
  const AutomaticFit made = fit_automatically(data, one_thread());
  EXPECT_LT(made.score.value, made.baseline.value);
  const Predictions sparse = made.model.predict(data.points),
                    dense = made.model.predict(data.points.to_dense());
  EXPECT_EQ(sparse.values, dense.values);
}

// Stops the work in a phase, as soon as there is something to keep, and wants no more of the following ones.
struct Caller {
  FitPhase stop_in = FitPhase::search;
  bool stops = false;
  Progress in(FitPhase phase) {
    return [this, phase](std::string_view what, double) {
      if (phase == stop_in && (phase != FitPhase::search || what.find("best") != std::string_view::npos))
        stops = true;
      return !stops;
    };
  }
};

AutomaticOptions stopped(Caller& caller, FitPhase phase) {
  caller.stop_in = phase;
  AutomaticOptions options = one_thread();
  options.tune.fit.keep_on_cancel = true;
  options.tune.fit.progress = caller.in(FitPhase::search);
  options.fit_progress = caller.in(FitPhase::final_fit);
  options.assessment_progress = caller.in(FitPhase::assessment);
  return options;
}

TEST(FitAutomatically, KeepsTheBestWhereverItIsStopped) {
  const Dataset data = rings(150);
  for (const FitPhase phase : {FitPhase::search, FitPhase::final_fit, FitPhase::assessment}) {
    Caller caller;
    AutomaticOptions options = stopped(caller, phase);
    const AutomaticFit made = fit_automatically(data, options);
    EXPECT_EQ(made.interrupted, phase);
    EXPECT_EQ(made.search.interrupted, phase == FitPhase::search);
    EXPECT_EQ(made.model.rows, 150u);
    EXPECT_TRUE(made.model.fitted.report.converged);
    EXPECT_EQ(made.model.predict(data.points).codes.size(), 150u);
    EXPECT_EQ(made.scored_on, "the folds of the search");
    options.tune.fit.keep_on_cancel = false;
    caller.stops = false;
    EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { fit_automatically(data, options); }),
              "stopped before the end");
  }
}

// A fit of many rows that is stopped leaves one of few, and a score that was not measured is none.
TEST(FitAutomatically, FitsFewRowsWhereTheFitOfManyIsStopped) {
  const Dataset data = rings(2400);
  Caller caller;
  AutomaticOptions options = stopped(caller, FitPhase::final_fit);
  options.search = false;
  options.method = Svm{};
  options.kernel = Kernel::parse("rbf(gamma=1)");
  options.scaling = Scaling::Kind::standard;
  const AutomaticFit made = fit_automatically(data, options);
  EXPECT_EQ(made.interrupted, FitPhase::final_fit);
  EXPECT_EQ(made.model.rows, 2000u);
  EXPECT_FALSE(made.assessed());
  EXPECT_TRUE(std::isnan(made.score.value));
  EXPECT_TRUE(std::isnan(made.baseline.value));
}

// Nothing is left open: there is nothing to search.
TEST(FitAutomatically, DoesNotSearchWhatIsFixed) {
  for (const bool search : {true, false}) {
    AutomaticOptions options = one_thread();
    options.search = search;
    options.method = Svm{.C = 3};
    options.fixed = {"C"};
    options.kernel = Kernel::parse("rbf(gamma=0.5)");
    options.tune.fit.progress = [](std::string_view, double) -> bool { throw std::logic_error("a search"); };
    const Dataset test = rings(70, 3);
    options.test = &test;
    const AutomaticFit made = fit_automatically(rings(60), options);
    EXPECT_EQ(made.search.evaluated(), 0u);
    EXPECT_EQ(made.scored_on, "70 test rows");
    EXPECT_EQ(plan_fit(rings(60), options).candidates, 1u);
  }
}

TEST(FitAutomatically, CountsWhatTheRefinementAdds) {
  const AutomaticFit made = fit_automatically(rings(120), one_thread());
  EXPECT_GT(made.search.refined, 0u);
  EXPECT_EQ(made.search.evaluated(), made.search.planned - made.search.failed + made.search.refined);
  const Plan plan = plan_fit(rings(120), one_thread());
  EXPECT_EQ(plan.candidates, made.search.planned);
  EXPECT_TRUE(plan.refines);
}

TEST(PlanFit, CountsTheCandidates) {
  AutomaticOptions options = one_thread();
  options.axes = {{"C", {1, 10}}, {"gamma", {1, 2, 3}}};
  const Plan plan = plan_fit(rings(50), options);
  EXPECT_EQ(plan.candidates, 6u);
  EXPECT_FALSE(plan.refines);  // a grid of the user's is judged as it is
  const Duration time = measure_plan(rings(50), options);
  EXPECT_GT(time.low, 0);
  EXPECT_GT(time.high, time.low);
  ASSERT_EQ(plan.lines.size(), plan.spaces.size());
  EXPECT_NE(plan.lines[0].find("C from 1 to 10 (2 values)"), std::string::npos);
}

}  // namespace
}  // namespace mercer
