#include "model_selection/measured_plan.hpp"

#include <algorithm>

#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "model_selection/cv_scorer.hpp"
#include "model_selection/rungs.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_to_measure_on = 400;
constexpr double refined_lines = 3;  // around the best: it and its neighbours

// A candidate that cannot be fitted on so few rows tells nothing, and takes little time either.
template <class Work>
void measure_where_possible(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
  }
}

}  // namespace

double measured_seconds(const std::vector<SearchSpace>& spaces, const Dataset& data, const Points& scaled,
                        const TuneOptions& tune) {
  Dataset rows = data;
  rows.points = scaled;
  const std::vector<CandidateLine> lines = candidate_lines(spaces, scaled);
  const std::size_t n = data.rows();
  const std::size_t few = std::min(n, rows_to_measure_on);
  const Sample sample = draw_sample(rows, few, tune.folds, tune.fold, tune.fit.seed);
  const Metric metric = metric_named(!tune.metric.empty()                       ? tune.metric
                                     : data.target.task == Task::classification ? "accuracy"
                                                                                : "rmse");
  CostModel cost(tune.folds);
  double fit_seconds = 0;  // of one fit on the few rows, the mean over the spaces
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    std::vector<const CandidateLine*> own;
    for (const CandidateLine& line : lines)
      if (line.space == s) own.push_back(&line);
    if (own.empty()) continue;
    const CandidateLine& middle = *own[own.size() / 2];
    measure_where_possible([&] {
      const auto start = std::chrono::steady_clock::now();
      if (lines.size() > 1 || middle.size() > 1)
        CvScorer(sample, metric, tune.fit, tune.fold.empty()).score(middle);
      cost.add(middle, few, seconds_since(start));
    });
    measure_where_possible([&] {
      const auto start = std::chrono::steady_clock::now();
      const Trial trial = middle.at(middle.size() / 2);
      fit(trial.method, trial.kernel, sample.data, tune.fit);
      fit_seconds += seconds_since(start) / double(spaces.size());
    });
  }
  const std::vector<std::size_t> sizes = rungs(n, tune);
  double search = 0;
  if (lines.size() > 1 || lines[0].size() > 1) {
    for (const CandidateLine& line : lines) search += cost.seconds(line, sizes[0]);
    search += seconds_of_later_rungs(cost, lines, sizes, 0);
    for (const CandidateLine& line : lines)
      search += refined_lines / double(lines.size()) * cost.seconds(line, sizes.back());
  }
  const double times = double(n) / double(few);
  return search * double(std::max<std::size_t>(1, tune.repeats)) +
         fit_seconds * times * times * (1 + double(tune.folds));
}

}  // namespace mercer
