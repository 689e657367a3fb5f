#include "base/json.hpp"
#include "mercer/json.hpp"

namespace mercer {

namespace {

Json trial_of(const Search& search, const Trial& trial) {
  Json values = Json::object();
  const auto& axes = search.spaces[trial.space].axes;
  for (std::size_t a = 0; a < axes.size(); ++a) values[axes[a].parameter] = json_number(trial.values[a]);
  return {{"method", trial.method->name()},
          {"kernel", trial.kernel.text()},
          {"values", values},
          {"rows", trial.rows},
          {"score", json_number(trial.score)},
          {"error", json_number(trial.error)}};
}

// Null where nothing was left to select.
Json search_of(const Search& search) {
  if (search.evaluated() == 0) return {};
  Json trials = Json::array();
  for (const Trial& trial : search.trials) trials.push_back(trial_of(search, trial));
  return {{"metric", search.metric},
          {"seconds", search.seconds},
          {"cut_short", search.cut_short},
          {"candidates", search.evaluated()},
          {"planned", search.planned},
          {"refined", search.refined},
          {"failed", search.failed},
          {"best", trial_of(search, search.trials[search.best])},
          {"trials", trials}};
}

constexpr const char* phase_names[] = {"search", "final fit", "assessment"};  // of FitPhase

}  // namespace

std::string json_of(const AutomaticFit& made) {
  const auto estimate = [&](const Estimate& e) -> Json {
    if (!made.assessed()) return {};
    return {{"value", json_number(e.value)}, {"low", json_number(e.low)}, {"high", json_number(e.high)}};
  };
  return json_text({{"metric", made.metric},
                    {"score", estimate(made.score)},
                    {"baseline", estimate(made.baseline)},
                    {"scored_on", made.assessed() ? Json(made.scored_on) : Json()},
                    {"search", search_of(made.search)},
                    {"interrupted", made.interrupted ? Json(phase_names[int(*made.interrupted)]) : Json()}});
}

}  // namespace mercer
