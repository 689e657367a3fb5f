#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mercer/generate.hpp"
#include "mercer/json.hpp"
#include "mercer/methods.hpp"

namespace mercer {
namespace {

using nlohmann::json;

TEST(SelectionJson, TellsScoreBaselineAndTrials) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticOptions options{.method = Svm{}, .kernel = Kernel::parse("rbf(gamma=1)")};
  options.axes = {{"C", {1, 10}}};
  const AutomaticFit made = fit_automatically(data, options);
  const json told = json::parse(json_of(made));
  EXPECT_EQ(told["metric"], "accuracy");
  EXPECT_EQ(told["score"]["value"], made.score.value);
  EXPECT_EQ(told["baseline"]["low"], made.baseline.low);
  EXPECT_EQ(told["scored_on"], made.scored_on);
  EXPECT_EQ(told["search"]["trials"].size(), made.search.trials.size());
  EXPECT_EQ(told["search"]["best"]["score"], made.search.trials[made.search.best].score);
  EXPECT_TRUE(told["interrupted"].is_null());
}

TEST(SelectionJson, HasNoScoreOfAFitThatWasStopped) {
  const Dataset data = generate("moons", {.n = 60});
  AutomaticFit made =
      fit_automatically(data, {.search = false, .method = Svm{}, .kernel = Kernel::parse("rbf(gamma=1)")});
  made.scored_on.clear();
  made.interrupted = FitPhase::assessment;
  const json told = json::parse(json_of(made));
  EXPECT_TRUE(told["score"].is_null());
  EXPECT_EQ(told["interrupted"], "assessment");
}

}  // namespace
}  // namespace mercer
