#include "model_selection/automatic_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/seconds.hpp"
#include "data/density.hpp"
#include "mercer/error.hpp"
#include "model_selection/candidates.hpp"
#include "model_selection/cv_scorer.hpp"
#include "model_selection/measures.hpp"
#include "model_selection/tune_steps.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_to_choose_on = 8000;  // more rows hardly change which candidate is best
// By ridge; of more it judges a part of K, which favours smooth kernels.
constexpr std::size_t rows_left_out_exactly = 1600;
constexpr std::size_t rows_to_measure_on = 400;
constexpr double refined_lines = 3;  // around the best: it and its neighbours

// Columns that all lie in [−1, 1] and use it were scaled by someone, or are shares and marks.
bool alike_already(const Points& points) {
  std::vector<double> largest(points.cols(), 0);
  std::visit(
      [&](const auto& storage) {
        const auto see = [&](std::size_t column, double value) {
          largest[column] = std::max(largest[column], std::abs(value));
        };
        if constexpr (requires { storage.indices; }) {
          for (std::size_t k = 0; k < storage.values.size(); ++k)
            see(std::size_t(storage.indices[k]), double(storage.values[k]));
        } else {
          for (std::size_t i = 0; i < storage.rows; ++i)
            for (std::size_t j = 0; j < storage.cols; ++j) see(j, double(storage.row(i)[j]));
        }
      },
      points.storage());
  const auto used = std::ranges::count_if(largest, [](double x) { return x >= 0.5; });
  return std::ranges::all_of(largest, [](double x) { return x <= 1; }) &&
         2 * std::size_t(used) >= largest.size();
}

Scaling::Kind scaling_for(const Dataset& data, const AutomaticOptions& options) {
  if (options.scaling) return *options.scaling;
  return !options.search || alike_already(data.points) ? Scaling::Kind::none : Scaling::Kind::standard;
}

// Rows that a scaling makes dense are made so once, for the search and for all folds; so are those whose
// zeros cost little.
Dataset dense_where_cheap(Dataset data, Scaling::Kind scaling) {
  const std::size_t bytes = data.rows() * data.points.cols() * sizeof(double);
  const bool cheap = bytes <= 40 * std::max<std::size_t>(1, data.points.bytes());
  if (may_be_dense(data.points) && (scaling != Scaling::Kind::none || cheap))
    data.points = data.points.to_dense();
  return data;
}

TuneOptions tune_options(const Dataset& data, const AutomaticOptions& options, Scaling::Kind scaling) {
  TuneOptions tune = options.tune;
  tune.scaling = scaling;
  const std::size_t n = data.rows();
  if (tune.fold.empty()) tune.folds = std::min(tune.folds, n);
  if (!options.axes.empty()) return tune;  // a grid of the user's is judged as it is
  if (tune.rows_at_first == 0 && n > 2000)
    tune.rows_at_first = data.target.task == Task::classification ? 1000 : 500;
  const bool single = data.target.task == Task::regression &&
                      (!options.method || (*options.method)->traits().leaves_out_single_rows);
  if (tune.rows_at_most == 0) tune.rows_at_most = single ? rows_left_out_exactly : rows_to_choose_on;
  return tune;
}

// The seconds that work takes. A candidate that cannot be fitted on so few rows tells nothing, and takes
// little time either.
template <class Work>
std::optional<double> seconds_where_possible(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return {};
  }
  return seconds_since(start);
}

std::string text_of(const SearchSpace& space) {
  std::string text = fmt::format("{}, kernel {}", space.method->name(), space.kernel.text());
  for (const GridAxis& axis : space.axes) {
    const auto [least, most] = std::ranges::minmax(axis.values);
    text += axis.values.size() == 1 ? fmt::format(", {} = {:.3g}", axis.parameter, least)
                                    : fmt::format(", {} from {:.3g} to {:.3g} ({} values)", axis.parameter,
                                                  least, most, axis.values.size());
  }
  return text;
}

}  // namespace

PreparedSearch prepare_search(const Dataset& given, const AutomaticOptions& options) {
  if (given.target.task == Task::none)
    throw Error(ErrorCode::missing_target, "there is no target to learn", {.hints = {{Remedy::name_target}}});
  if (given.rows() < 2)
    throw Error(ErrorCode::invalid_data, fmt::format("{} cannot be split into training and validation rows",
                                                     given.rows() == 1 ? "one row" : "no rows"));
  const Scaling::Kind scaling = scaling_for(given, options);
  PreparedSearch made{.data = options.search ? dense_where_cheap(given, scaling) : given, .scaling = scaling};
  made.scaled = Scaling::fit(made.scaling, made.data.points).apply(made.data.points);
  if (options.search) {
    Dataset scaled = made.data;
    scaled.points = made.scaled;
    made.spaces = candidates(scaled, options);
  } else {
    made.spaces.push_back({options.method.value(), options.kernel.value()});
  }
  made.tune = tune_options(made.data, options, scaling);
  return made;
}

bool whole_numbers(const GridAxis& axis) {
  return std::ranges::all_of(axis.values, [](double value) { return value == std::floor(value); }) &&
         axis.parameter != "C";
}

bool refines(const SearchSpace& space, const AutomaticOptions& options) {
  return options.axes.empty() && std::ranges::any_of(space.axes, [](const GridAxis& axis) {
           return axis.values.size() > 1 && !whole_numbers(axis);
         });
}

double measured_seconds(const std::vector<SearchSpace>& spaces, const Dataset& data, const Points& scaled,
                        const TuneOptions& tune) {
  Dataset rows = data;
  rows.points = scaled;
  const std::vector<CandidateLine> lines = candidate_lines(spaces, scaled);
  const bool several = lines.size() > 1 || lines[0].size() > 1;
  const std::size_t n = data.rows(), few = std::min(n, rows_to_measure_on);
  const Sample sample = draw_sample(rows, few, tune.folds, tune.fold, tune.fit.seed);
  const Metric metric = metric_or_default(tune.metric, data.target);
  CostModel cost(tune.folds);
  double fit_seconds = 0;  // of one fit on the few rows, the mean over the spaces
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    std::vector<const CandidateLine*> own;
    for (const CandidateLine& line : lines)
      if (line.space == s) own.push_back(&line);
    if (own.empty()) continue;
    const CandidateLine& middle = *own[own.size() / 2];
    if (const auto seconds = seconds_where_possible([&] {
          if (several) CvScorer(sample, metric, tune.fit, tune.fold.empty()).score(middle);
        }))
      cost.add(middle, few, *seconds);
    const Trial trial = middle.at(middle.size() / 2);
    fit_seconds +=
        seconds_where_possible([&] { fit(trial.method, trial.kernel, sample.data, tune.fit); }).value_or(0) /
        double(spaces.size());
  }
  const std::vector<std::size_t> sizes = rungs(n, tune);
  double search = 0;
  if (several) {
    for (const CandidateLine& line : lines)
      search += cost.seconds(line, sizes[0]) +
                refined_lines / double(lines.size()) * cost.seconds(line, sizes.back());
    search += seconds_of_later_rungs(cost, lines, sizes, 0);
  }
  const double times = double(n) / double(few);
  return search * double(std::max<std::size_t>(1, tune.repeats)) +
         fit_seconds * times * times * (1 + double(tune.folds));
}

Plan plan_fit(const Dataset& data, const AutomaticOptions& options) {
  PreparedSearch made = prepare_search(data, options);
  Plan plan{.spaces = std::move(made.spaces)};
  for (const CandidateLine& line : candidate_lines(plan.spaces, made.scaled)) plan.candidates += line.size();
  plan.refines = plan.candidates > 1 && std::ranges::any_of(plan.spaces, [&](const SearchSpace& space) {
                   return refines(space, options);
                 });
  for (const SearchSpace& space : plan.spaces) plan.lines.push_back(text_of(space));
  const std::size_t first = made.tune.rows_at_first;
  if (plan.candidates > 1 && first > 0 && first < data.rows())
    plan.lines.push_back(fmt::format("all on {} rows first, the better ones on up to {}", first,
                                     std::min(data.rows(), made.tune.rows_at_most)));
  return plan;
}

Duration measure_plan(const Dataset& data, const AutomaticOptions& options) {
  const PreparedSearch made = prepare_search(data, options);
  const double seconds = measured_seconds(made.spaces, made.data, made.scaled, made.tune);
  return {seconds / 2, 2 * seconds};
}

}  // namespace mercer
