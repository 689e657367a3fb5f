#include "cli/fit_budget.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/data_options.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/metrics.hpp"

namespace mercer::cli {

void announce_plan(const Session& session, const BudgetPlan& plan) {
  if (plan.approx.empty() || session.quiet) return;
  Session::complain(fmt::format("mercer: plan: {}{}", plan.text(), plan.why.empty() ? "" : "; " + plan.why));
}

Json plan_json(const BudgetPlan& plan) {
  if (plan.approx.empty()) return {};
  return {{"approx", plan.approx},
          {"chosen", plan.chosen},
          {"passes", plan.passes},
          {"pass_seconds", number(plan.pass_seconds)},
          {"seconds", number(plan.seconds)},
          {"bytes", plan.bytes},
          {"why", plan.why}};
}

std::size_t memory_for_fit(std::size_t memory, const BudgetPlan& plan, const Dataset& data,
                           Scaling::Kind scaling) {
  if (!plan.approx.empty()) return memory - program_bytes;
  const std::size_t held = memory_of(data.points) * (scaling == Scaling::Kind::none ? 1 : 2);
  return memory - std::min(memory / 2, program_bytes + held);
}

Dataset hold_out(Dataset& data, std::uint64_t seed) {
  constexpr std::size_t most = 5000;
  const std::size_t n = data.rows(), count = std::min(most, n / 10);
  // Every (n / count)th row from a random one on, so that files in some order are held out evenly.
  std::vector<std::size_t> out, rest;
  const std::size_t step = count > 0 ? n / count : n + 1, first = count > 0 ? seed * 7919 % step : n;
  for (std::size_t i = 0; i < n; ++i)
    (count > 0 && i % step == first && out.size() < count ? out : rest).push_back(i);
  Dataset held_out = data.select_rows(out);
  data = data.select_rows(rest);
  return held_out;
}

Json say_held_out(const Session& session, const BudgetPlan& plan, const Model& model,
                  const Dataset& held_out) {
  session.say_line("given up", fmt::format("exactness: {}; the model is over {} landmarks", plan.why,
                                           model.fitted.expansion.points.rows()));
  if (held_out.rows() == 0) return {};
  const bool classes = held_out.target.task == Task::classification && !model.labels.empty();
  Target truth = held_out.target;
  if (!classes && truth.task == Task::classification)
    truth = {Task::regression, truth.name, {}, {}, truth.numbers()};
  const Metric metric = metric_named(classes ? "accuracy" : "rmse");
  const Estimate error = bootstrap(metric, truth, model.predict(held_out.points, session.threads),
                                   {.seed = session.seed, .threads = session.threads});
  session.say_line("held out",
                   fmt::format("{} {:.4g} (95 % interval {:.4g} to {:.4g}) on {} rows that took no "
                               "part in the fit",
                               metric.name, error.value, error.low, error.high, held_out.rows()));
  return {{"metric", metric.name},
          {"rows", held_out.rows()},
          {"value", number(error.value)},
          {"low", number(error.low)},
          {"high", number(error.high)}};
}

}  // namespace mercer::cli
