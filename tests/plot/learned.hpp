// Models with what a report says about them, for its tests.
#pragma once

#include "mercer/automatic.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/folds.hpp"

namespace mercer {

/// A fit judged on folds, as if it were the better one of two settings.
inline AutomaticFit learned(const AnyMethod& method, const std::string& kernel, const Dataset& data,
                            Scaling::Kind scaling = Scaling::Kind::none, const FitOptions& options = {}) {
  const Kernel k = Kernel::parse(kernel);
  AutomaticFit made{.model = fit(method, k, data, options, scaling),
                    .search = {},
                    .metric = data.target.task == Task::classification ? "accuracy" : "rmse",
                    .scored_on = "4-fold cross-validation",
                    .score = {},
                    .baseline = {}};
  made.scored = data;
  made.predictions = cross_validate(method, k, data, random_folds(data.target, 4, 1), options, scaling);
  const Metric metric = metric_named(made.metric);
  made.score = bootstrap(metric, data.target, made.predictions, {.samples = 200});
  made.baseline = bootstrap(metric, data.target, baseline(data.target, data.rows()), {.samples = 200});
  made.search.metric = made.metric;
  made.search.spaces = {{method, k, {{"C", {1, 10}}}}};
  made.search.trials = {{0, {1}, method, made.model.kernel(), data.rows(), 0.25, 0.01},
                        {0, {10}, method, made.model.kernel(), data.rows(), 0.75, 0.02}};
  made.search.best = 1;
  return made;
}

}  // namespace mercer
